/** `nereid token`: makes a token for a script, and its entry for the server's file, which holds no more than its hash. */
import { TOKEN_SCOPES } from '@nereid/domain/actions';
import type { z } from 'zod';
import { stringify } from 'yaml';
import { hashOfToken, newToken } from '../server/console/api-token.ts';
import { coversEverything } from '../server/console/console-policy.ts';
import { Token } from '../server/console/console-schema.ts';

export type TokenMade =
  { readonly kind: 'made'; readonly lines: readonly string[] } | { readonly kind: 'failed'; readonly why: string };

/** As they were typed. */
export interface TokenOptions {
  readonly login?: string | undefined;
  readonly scopes?: string | undefined;
  readonly repositories?: string | undefined;
  readonly expires?: string | undefined;
}

/** A year; whoever wants another one says so. */
const LIFE_DAYS = 365;

export function makeToken(name: string, options: TokenOptions): TokenMade {
  const { login, scopes = 'read', repositories, expires = dayIn(LIFE_DAYS) } = options;
  const token = newToken();
  const entry = Token.safeParse({
    name,
    sha256: hashOfToken(token),
    login,
    scopes: listOf(scopes),
    ...(repositories !== undefined && { repositories: listOf(repositories) }),
    expires,
  });
  if (!entry.success) return { kind: 'failed', why: whyOf(entry.error) };
  const { scopes: asked, repositories: some } = entry.data;
  const whole = OF_ALL_REPOSITORIES.find(({ scope }) => asked.includes(scope));
  if (whole !== undefined && some !== undefined && !coversEverything({ repositories: some }))
    return { kind: 'failed', why: noRepositoriesFor(whole) };
  return {
    kind: 'made',
    lines: [
      token,
      '',
      'Nobody can read it again: store it where the script finds it, as NEREID_TOKEN.',
      "The server's file of the console and of the workers with the role control:",
      '',
      ...stringify({ console: { tokens: [entry.data] } })
        .trimEnd()
        .split('\n'),
      '',
      'Both read the file again on SIGHUP. To end the token, remove its entry.',
    ],
  };
}

const OF_ALL_REPOSITORIES = [
  { scope: 'hosts', because: 'a host works for all of them' },
  { scope: 'notifications', because: 'a destination is told of all of them' },
] as const;

function noRepositoriesFor({ scope, because }: (typeof OF_ALL_REPOSITORIES)[number]): string {
  return `expected no --repositories beside the scope ${scope}, because ${because}, found both; make two tokens`;
}

function whyOf({ issues }: z.ZodError): string {
  const [issue] = issues;
  const option = String(issue?.path[0] ?? '');
  const remedy = option === 'scopes' ? `; scopes are ${TOKEN_SCOPES.join(', ')}` : '';
  return `expected ${option === 'name' ? 'a name' : `--${option}`} as the server's file takes it, found: ${issue?.message ?? ''}${remedy}`;
}

function listOf(text: string): readonly string[] {
  return text.split(',').map((one) => one.trim());
}

function dayIn(days: number): string {
  return new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10);
}
