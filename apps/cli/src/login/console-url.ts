import { wrongUsage } from '../exit-code.ts';

/** As the console listens on the machine of a developer. */
export const DEFAULT_CONSOLE = 'http://127.0.0.1:4144';

/** Without a trailing slash. `from` says who named it. */
export function parseConsoleUrl(text: string, from: string): string {
  const expected = `expected an address like https://nereid.example.com as ${from}`;
  if (!URL.canParse(text)) throw wrongUsage(`${expected}, found ${text}`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw wrongUsage(`${expected}, found one with a password; nereid login takes a token`);
  const isPlain = (url.protocol === 'http:' || url.protocol === 'https:') && url.search === '' && url.hash === '';
  if (!isPlain) throw wrongUsage(`${expected}, found ${text}`);
  return url.href.replace(/\/+$/, '');
}

/** Requests to it leave the machine, where others can read it. */
export function isInTheOpen(consoleUrl: string): boolean {
  const { protocol, hostname } = new URL(consoleUrl);
  return protocol === 'http:' && !/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
