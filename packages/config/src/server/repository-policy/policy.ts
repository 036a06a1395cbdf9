/** The server's policy for one repository. The file is read from top to bottom, and the first entry that sets something wins. */
import type { Network } from '@nereid/domain/root';
import { matchesGlob } from '../glob.ts';
import { mergeSettings } from './merge-settings.ts';
import type { PoolNames } from '../pools.ts';
import type { OwnSettings, RepositoryEntry, RootRule, RootSettings } from '../repository-entry.ts';
import { grantedAbove, grantedByEntries, type GrantedRule } from '../review/auto-when.ts';
import type { ServerConfig } from '../server-config.ts';

/** Without `branch`, the repository's default branch is deployed. */
export interface RepositoryPolicy extends WithDefaults, Pick<OwnSettings, 'branch'> {
  /** `owner/name`; absent where only a file is looked at. */
  readonly repository?: string;
  readonly pools: readonly PoolNames[];
  /** Settings of the whole repository. */
  readonly settings: RootSettings;
  /** In the order of the file. */
  readonly rootRules: readonly PlacedRule[];
  /** Of roots that no rule is about. */
  readonly autoWhen: readonly GrantedRule[];
  readonly workflows: ServerConfig['workflows'];
  readonly distribution: ServerConfig['terraform']['distribution'];
  /** Of roots of which nobody says otherwise. */
  readonly network: Network;
}

type WithDefaults = Required<Omit<OwnSettings, 'match' | 'branch'>>;

export const REPOSITORY_DEFAULTS: WithDefaults = {
  // The version of the binary is no question of security: its download is checked, and the code of a root can run anything
  // anyway. The server decides everything else unless it says otherwise.
  allowedOverrides: ['terraform_version'],
  allowedHosts: [],
  modulesFrom: [],
  lfs: false,
  pullRequests: 'off',
  pullRequestComment: 'changes',
  forkPlans: 'never',
  planAllBases: false,
  stale: 'show',
  unlockOnMerge: true,
};

/** A rule loosens only what its own and later entries set. */
export interface PlacedRule extends RootRule {
  /** The settings of the entries above its own. */
  readonly above: RootSettings;
  /** As far as those entries say who confirms plans. */
  readonly grantedAbove: readonly GrantedRule[] | undefined;
}

export type PolicySource = Pick<ServerConfig, 'repositories' | 'workflows' | 'pools' | 'terraform'>;

/** The policy for `owner/name`; undefined when no entry matches, which means that the repository is not allowed. */
export function policyFor(server: PolicySource, repository: string): RepositoryPolicy | undefined {
  const entries = server.repositories.filter((entry) => matchesGlob(entry.match, repository));
  if (entries.length === 0) return undefined;
  return {
    repository,
    ...ownSettingsOf(entries),
    pools: server.pools.map(({ name, labels }) => ({ name, labels })),
    settings: mergeSettings(entries.map(({ settings }) => settings)),
    rootRules: entries.flatMap(({ roots }, index) => {
      const higher = entries.slice(0, index);
      const above = mergeSettings(higher.map(({ settings }) => settings));
      return roots.map((rule) => ({ ...rule, above, grantedAbove: grantedAbove(higher) }));
    }),
    autoWhen: grantedByEntries(entries),
    workflows: server.workflows,
    distribution: server.terraform.distribution,
    network: server.terraform.network,
  };
}

/** The first entry that sets something wins, so the merge begins with the last. */
function ownSettingsOf(entries: readonly RepositoryEntry[]): WithDefaults & Pick<OwnSettings, 'branch'> {
  return entries.reduceRight<WithDefaults & Pick<OwnSettings, 'branch'>>(
    (below, { match: _match, settings: _settings, roots: _roots, ...own }) => ({ ...below, ...own }),
    REPOSITORY_DEFAULTS,
  );
}
