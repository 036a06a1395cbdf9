/** Asks the provider for new tokens, once for the same ones: a refresh token counts once. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Exchanged, LoginProvider, LoginTokens } from '../provider/provider.ts';

/** Undefined while these tokens need not be refreshed, or cannot be. Throws a `ProviderUnavailableError`. */
export type Refresh = (tokens: LoginTokens) => Promise<Exchanged> | undefined;

/** Before its end, so that what is asked with it meanwhile still counts when it arrives. */
const BEFORE_MS = 60_000;

/** Those who come at once have the same old refresh token, and so has whoever did not get our answer. */
const KEPT_MS = 60_000;
const KEPT_LIMIT = 5_000;

export function createRefresh(provider: Pick<LoginProvider, 'refresh'>): Refresh {
  const refreshed = new LRUCache<string, Promise<Exchanged>>({ max: KEPT_LIMIT, ttl: KEPT_MS });
  return (tokens) => {
    if (!isDue(tokens)) return undefined;
    const key = createHash('sha256')
      .update(tokens.refreshToken ?? '')
      .digest('hex');
    const asked = refreshed.get(key);
    if (asked !== undefined) return asked;
    const answer = provider.refresh(tokens);
    refreshed.set(key, answer);
    answer.catch(() => refreshed.delete(key));
    return answer;
  };
}

/** Whether new tokens can be had, and are needed. Those that last for minutes only, as from `sinceMs`, are not due from the beginning. */
export function isDue({ refreshToken, expiresAt }: LoginTokens, sinceMs = -Infinity): boolean {
  if (refreshToken === undefined || expiresAt === undefined) return false;
  return expiresAt - Date.now() <= Math.min(BEFORE_MS, (expiresAt - sinceMs) / 2);
}
