import type { Repository } from '@nereid/domain/root';
import type { GitToken } from '@nereid/forge';
import type { Clients } from './clients.ts';

/** The permissions that a token is narrowed to, by GitHub's names: `{ contents: 'read' }`. */
type TokenPermissions = Readonly<Record<string, 'read' | 'write'>>;

/** A clone of a large repository may take this long, and uses its token for several requests. */
const REMAINING_LIFE_MS = 5 * 60_000;

/**
 * A token of the installation for git, narrowed to these permissions, this repository and `others`, which have the same owner.
 * GitHub's tokens live for an hour; a token is reused until five minutes before its end.
 */
export async function installationToken(
  clients: Clients,
  repository: Repository,
  permissions: TokenPermissions,
  others: readonly string[] = [],
): Promise<GitToken> {
  const repositoryNames = [...new Set([repository.name, ...others])];
  return clients.withNumber(
    repository,
    'POST /app/installations/{installation_id}/access_tokens',
    async (installationId) => {
      const wanted = { type: 'installation', installationId, repositoryNames, permissions };
      const token = tokenIn(await clients.app.octokit.auth(wanted));
      if (token.expiresAt - Date.now() > REMAINING_LIFE_MS) return token;
      return tokenIn(await clients.app.octokit.auth({ ...wanted, refresh: true }));
    },
  );
}

/** The value of git's `Authorization` header: GitHub takes a token as the password of this fixed user. */
export function gitAuthorization(token: string): string {
  return `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
}

/** octokit's `auth` is typed as unknown. */
function tokenIn(authentication: unknown): GitToken {
  const fields = Object(authentication) as { token?: unknown; expiresAt?: unknown };
  const expiresAt = Date.parse(String(fields.expiresAt));
  if (typeof fields.token !== 'string' || Number.isNaN(expiresAt)) {
    throw new Error('expected a token with an expiry from GitHub, found neither');
  }
  return { value: fields.token, expiresAt };
}
