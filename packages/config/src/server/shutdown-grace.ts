/** How long a host needs to stop without breaking off an apply. */
import type { ServerConfig } from './server-config.ts';
import { DEFAULT_TIMEOUT_MS, LONGEST_TIMEOUT_MS } from '../settings/timeout.ts';

/** For what an apply does before its limit counts, such as an init on another host, and for stopping one that reaches it. */
const MARGIN_MS = 5 * 60_000;

/** In milliseconds: the longest apply that the server's file allows, and five minutes. */
export function hostGraceMs(server: Pick<ServerConfig, 'repositories'>): number {
  return longestApplyMs(server) + MARGIN_MS;
}

/** Where a repository may set its timeouts itself, that is the longest that there is. */
function longestApplyMs({ repositories }: Pick<ServerConfig, 'repositories'>): number {
  const settings = repositories.flatMap((entry) => [entry.settings, ...entry.roots.map((rule) => rule.settings)]);
  const isFree = repositories.some(({ allowedOverrides }) => allowedOverrides?.includes('timeout'));
  // No file says that all roots have less than the default.
  const longest = settings.map(({ timeoutMs }) => timeoutMs?.apply ?? DEFAULT_TIMEOUT_MS.apply);
  return isFree ? LONGEST_TIMEOUT_MS : Math.max(DEFAULT_TIMEOUT_MS.apply, ...longest);
}
