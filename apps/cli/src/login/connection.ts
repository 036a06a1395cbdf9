/** Which console is asked, and in whose name. */
import { defined } from '@nereid/domain/defined';
import type { Given } from '../arguments/parse-arguments.ts';
import { wrongUsage } from '../exit-code.ts';
import type { World } from '../world.ts';
import { DEFAULT_CONSOLE, isInTheOpen, parseConsoleUrl } from './console-url.ts';
import { loginFile, readLogin, readPrivate } from './login-file.ts';

export interface Connection {
  readonly console: string;
  readonly token?: string;
  readonly proxyAuthorization?: string;
}

type Place = Pick<World, 'env' | 'home'>;

/** Throws a sentence when a setting is wrong, which never shows a token. */
export function connectionOf(given: Given, world: Place): Connection {
  const { env } = world;
  const console = consoleOf(given, world);
  const token = tokenFor(console, world);
  const proxyAuthorization = headerOf('NEREID_PROXY_AUTHORIZATION', env['NEREID_PROXY_AUTHORIZATION']);
  const isSecret = token !== undefined || proxyAuthorization !== undefined;
  if (isSecret && !given.has('allow-http')) refuseOpen(console);
  return {
    console,
    ...defined({ token, proxyAuthorization }),
  };
}

/** Options go before the environment, and the environment before the last login. */
export function consoleOf(given: Given, world: Place): string {
  const typed = given.option('console');
  if (typed !== undefined) return parseConsoleUrl(typed, '--console');
  const { NEREID_CONSOLE: fromEnvironment = '' } = world.env;
  if (fromEnvironment !== '') return parseConsoleUrl(fromEnvironment, 'NEREID_CONSOLE');
  return readLogin(loginFile(world)).current ?? DEFAULT_CONSOLE;
}

export function refuseOpen(console: string): void {
  if (!isInTheOpen(console)) return;
  throw wrongUsage(
    `expected https, because a token goes to ${console}, found http; --allow-http sends it all the same`,
  );
}

function tokenFor(console: string, world: Place): string | undefined {
  const { NEREID_TOKEN: token = '', NEREID_TOKEN_FILE: file = '' } = world.env;
  if (token !== '') return checkToken(token, 'NEREID_TOKEN');
  if (file === '') return readLogin(loginFile(world)).tokens[console];
  const text = readPrivate(file);
  if (text === undefined) throw wrongUsage(`expected a file with a token at NEREID_TOKEN_FILE, found none at ${file}`);
  return checkToken(text.trim(), 'NEREID_TOKEN_FILE');
}

/** As the console takes it in a header. The token itself is shown to nobody. */
export function checkToken(token: string, from: string): string {
  if (/^[\w~+/.-]{1,500}=*$/.test(token)) return token;
  const found = token === '' ? 'nothing' : 'something else';
  throw wrongUsage(`expected a token as nereid token prints it, from ${from}, found ${found}`);
}

/** A header ends with its line. */
function headerOf(name: string, value = ''): string | undefined {
  if (value === '') return undefined;
  if (!/^[\x20-\x7e]{1,16000}$/.test(value))
    throw wrongUsage(`expected the value of a header in ${name}, found other characters`);
  return value;
}
