/** Renews the session of a person who logged in from a terminal. */
import { SESSION_PREFIX } from '@nereid/api';
import { createClient, type ClientOptions } from '../client/client.ts';
import { EXIT, ExitError } from '../exit-code.ts';
import type { Connection } from './connection.ts';
import { readLogin, writeLogin } from './login-file.ts';
import { withLoginLock } from './login-lock.ts';

/** A provider answers the console within 10 s, and a lost answer is asked for again. */
const RENEWAL_MS = 30_000;

/**
 * Returns the session that counts after this one was refused; undefined when there is none. If several `nereid` are refused at
 * once, one renews it, and the others find what it has stored.
 */
export function createRenewal(
  { console, proxyAuthorization }: Connection,
  file: string,
  signal: AbortSignal,
): NonNullable<ClientOptions['renew']> {
  return (refused) =>
    withLoginLock(file, signal, async () => {
      const login = readLogin(file);
      const { [console]: stored } = login.tokens;
      if (stored !== refused) return stored;
      const session = await renewed({ console, token: refused, proxyAuthorization });
      if (session === refused) return undefined;
      writeLogin(file, { ...login, tokens: { ...login.tokens, [console]: session } });
      return session;
    });
}

export function isSession(token: string | undefined): token is string {
  return token?.startsWith(SESSION_PREFIX) === true;
}

/** Ctrl-C does not end it: what the session is renewed with counts once. */
async function renewed(connection: Omit<ClientOptions, 'signal'>): Promise<string> {
  const limit = new AbortController();
  const late = setTimeout(() => {
    limit.abort(new ExitError(EXIT.notNow, 'your login could not be renewed within 30 s: try again in a moment'));
  }, RENEWAL_MS);
  try {
    return (await createClient({ ...connection, signal: limit.signal }).step('renewSession', {})).value.session;
  } finally {
    clearTimeout(late);
  }
}
