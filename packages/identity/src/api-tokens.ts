/** Tokens of scripts. The server's file has their hashes, so that nobody who reads it can use one. */
import { hashOfToken, type ConsolePolicy } from '@nereid/config';
import type { Identified } from './identity.ts';

/** Comparing hashes tells nobody how much of a token was right. */
export function personOfApiToken({ tokens }: ConsolePolicy, token: string, at: Date): Identified {
  const hash = hashOfToken(token);
  const known = tokens.find(({ sha256 }) => sha256 === hash);
  if (known === undefined)
    return { kind: 'nobody', why: 'this token is not known here: it was removed, or is of another installation' };
  const { name, login, scopes, repositories, expires } = known;
  if (at.toISOString() > expires)
    return { kind: 'nobody', why: `the token ${name} ended on ${expires.slice(0, 10)}: make a new one` };
  return { kind: 'person', person: { login, token: { name, scopes, repositories } } };
}
