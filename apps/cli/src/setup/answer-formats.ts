/** The forms of what people type. Each throws a sentence. */
import { OPERATOR } from '@nereid/domain/person';
import { wrongUsage } from '../exit-code.ts';

export interface Place {
  readonly option: string;
}

/** https, or this machine. Without a slash at the end. */
export function secureAddress(text: string, { option }: Place): string {
  const expected = `expected an address like https://nereid.example.org as ${option}`;
  if (!URL.canParse(text)) throw wrongUsage(`${expected}, found ${text}`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') throw wrongUsage(`${expected}, found one with a password`);
  const isLocal = url.protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3})$/.test(url.hostname);
  if (!(url.protocol === 'https:' || isLocal) || url.search !== '' || url.hash !== '')
    throw wrongUsage(`${expected}, found ${text}`);
  return url.href.replace(/\/+$/, '');
}

/** Where GitHub's pages are. */
export function githubAt(text: string, place: Place): string {
  const url = secureAddress(text, place);
  if (new URL(url).pathname !== '/')
    throw wrongUsage(
      `expected the address of GitHub as ${place.option}, like https://github.example.org, found ${text}`,
    );
  return url;
}

/** With the id of the account, nobody else becomes operator who takes a login that is free again. */
export function operatorIn(text: string, { option }: Place): string {
  if (OPERATOR.test(text)) return text;
  throw wrongUsage(
    `expected a login on GitHub like olga, or olga#1234567 with the id of the account, as ${option}, found ${text}`,
  );
}

/** As in the server's file, which is checked whole before anything is made. */
export function repositoriesIn(text: string, { option }: Place): string {
  if (/^[^\s/]+\/[^\s/]+$/.test(text)) return text;
  throw wrongUsage(`expected repositories like acme/* or acme/infra as ${option}, found ${text}`);
}
