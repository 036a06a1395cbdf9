/**
 * The server's policy for one repository and its roots.
 *
 * The file is read from top to bottom, and the first place that sets something wins. Within an entry, settings for roots
 * by name come before those for the whole repository. Permissions are merged action by action, timeouts job by job.
 */
import type { Permissions } from '@nereid/contracts';
import { matchesGlob } from './glob.ts';
import type { Override } from './overrides.ts';
import type { RepositoryEntry, RootSettings, ServerConfig } from './server-config.ts';
import type { TimeoutMs } from './timeout.ts';

export interface RepositoryPolicy {
  /** The branch whose pushes are deployed; absent for the repository's default branch. */
  readonly branch?: string;
  readonly allowedOverrides: readonly Override[];
  /** In order of precedence. */
  readonly layers: readonly PolicyLayer[];
  readonly workflows: ServerConfig['workflows'];
  readonly distribution: ServerConfig['terraform']['distribution'];
}

export interface PolicyLayer {
  /** A glob of root names; absent for every root of the repository. */
  readonly rootMatch?: string;
  readonly settings: RootSettings;
}

/**
 * The version of the binary is no question of security: its download is checked, and the code of a root can run anything
 * anyway. The server decides everything else unless it says otherwise.
 */
const DEFAULT_OVERRIDES: readonly Override[] = ['terraform_version'];

/** The policy for `owner/name`; undefined when no entry matches, which means that the repository is not allowed. */
export function policyFor(server: ServerConfig, repository: string): RepositoryPolicy | undefined {
  const entries = server.repositories.filter((entry) => matchesGlob(entry.match, repository));
  if (entries.length === 0) return undefined;
  const branch = entries.find((entry) => entry.branch !== undefined)?.branch;
  return {
    ...(branch !== undefined && { branch }),
    allowedOverrides: entries.find((entry) => entry.allowedOverrides)?.allowedOverrides ?? DEFAULT_OVERRIDES,
    layers: entries.flatMap(layersOf),
    workflows: server.workflows,
    distribution: server.terraform.distribution,
  };
}

/** The server's settings for the root of this name; `fixed` has only those that the server sets by the root's name. */
export function settingsFor(
  policy: RepositoryPolicy,
  rootName: string,
): { settings: RootSettings; fixed: RootSettings } {
  const layers = policy.layers.filter(({ rootMatch }) => rootMatch === undefined || matchesGlob(rootMatch, rootName));
  const settings = merge(layers.map((layer) => layer.settings));
  const fixed = merge(layers.filter((layer) => layer.rootMatch !== undefined).map((layer) => layer.settings));
  return { settings, fixed };
}

function layersOf(entry: RepositoryEntry): readonly PolicyLayer[] {
  return [...entry.roots.map(({ match, settings }) => ({ rootMatch: match, settings })), { settings: entry.settings }];
}

/** The first one wins, so the merge begins with the last. */
function merge(all: readonly RootSettings[]): RootSettings {
  return all.toReversed().reduce<RootSettings>((below, above) => {
    const permissions: Permissions = { ...below.permissions, ...above.permissions };
    const timeoutMs: TimeoutMs = { ...below.timeoutMs, ...above.timeoutMs };
    return {
      ...below,
      ...above,
      ...(Object.keys(permissions).length > 0 && { permissions }),
      ...(Object.keys(timeoutMs).length > 0 && { timeoutMs }),
    };
  }, {});
}
