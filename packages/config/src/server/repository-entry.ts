/** What the server's file says of repositories and of their roots. */
import type { PermissionKey } from '@nereid/domain/actions';
import type { Reminders } from '@nereid/domain/gates';
import type { AutoRule, CarryReview, Network, PermissionRule, PlanReviewPolicy, Root } from '@nereid/domain/root';
import type { Phase } from '@nereid/domain/tokens';
import type { Override } from '../settings/overrides.ts';
import type { TimeoutMs } from '../settings/timeout.ts';
import type { WorkingHours } from './windows/working-hours.ts';

export interface RepositoryEntry {
  /** `owner/name`, a glob. */
  readonly match: string;
  readonly branch?: string;
  readonly allowedOverrides?: readonly Override[];
  /** The pools, or labels of them, that the repository's own file may ask for. */
  readonly allowedHosts?: readonly string[];
  /** `owner/name`, the name a glob: what an init may read besides the repository itself. */
  readonly modulesFrom?: readonly string[];
  /** Whether hosts fetch files of Git LFS that roots read. */
  readonly lfs?: boolean;
  /** Whether pull requests are planned. */
  readonly pullRequests?: 'off' | 'plan';
  readonly pullRequestComment?: PullRequestComment;
  readonly forkPlans?: 'never' | 'on_command';
  readonly planAllBases?: boolean;
  readonly stale?: 'show' | 'block';
  readonly unlockOnMerge?: boolean;
  readonly settings: RootSettings;
  readonly roots: readonly RootRule[];
}

/** When the plans of a pull request are written in a comment: where something changes or fails, for every one, or never. */
export type PullRequestComment = 'changes' | 'always' | 'off';

export interface RootRule {
  /** A glob of directories, or `name:` and a glob of names. */
  readonly match: string;
  readonly settings: RootSettings;
}

/** Settings of a repository or of some of its roots. */
export interface RootSettings {
  readonly planReview?: PlanReviewPolicy;
  readonly queue?: Root['queue'];
  readonly onFailure?: Root['onFailure'];
  readonly workflow?: string;
  readonly terraformVersion?: string;
  readonly distribution?: Root['distribution'];
  readonly timeoutMs?: TimeoutMs;
  /** An older plan is made again before it is applied. */
  readonly maxPlanAgeMs?: number;
  /** The name of a pool, or a label of one. */
  readonly hosts?: string;
  /** Default: that of the server. */
  readonly network?: Network;
  readonly environment?: Environments;
  readonly envFrom?: SecretFiles;
  readonly identity?: IdentitySettings;
  readonly permissions?: ActionRules;
  readonly review?: ReviewSettings;
  readonly autoWhen?: AutoWhenSettings;
  /** Whether answers to a plan that could not be used count for an equal one. */
  readonly carryReview?: CarryReview;
  /** Whether going back is planned after a failed apply; absent for yes. */
  readonly prepareRevert?: boolean;
}

/** Who has to confirm plans. */
export interface ReviewSettings {
  readonly count?: number;
  /** `org/slug`. */
  readonly eachOf?: readonly string[];
  readonly expiresMs?: number;
  readonly remindMs?: readonly number[];
  readonly escalate?: Reminders['escalate'];
  /** Only they count for reminders. */
  readonly hours?: WorkingHours;
}

/** Plans that need nobody. */
export interface AutoWhenSettings extends Omit<AutoRule, 'of' | 'digest'> {
  /** It counts even where nobody of those who brought a change may confirm it. */
  readonly authors?: 'any';
}

export type ActionRules = Readonly<Partial<Record<PermissionKey, PermissionRule>>>;

/** No secrets. */
export type Environments = Readonly<Record<Phase, Readonly<Record<string, string>>>>;

/** The jobs that may see a secret. A preview plans code that nobody has merged; `plan` is the plan of a deployment. */
export type SecretPhase = 'preview' | 'plan' | 'apply';

/** The name of a file in `secretsFolder` for each variable. */
export type SecretFiles = Readonly<Record<SecretPhase, Readonly<Record<string, string>>>>;

/** Of the token that each job gets. */
export interface IdentitySettings {
  readonly audience: string;
  /** Present for roots that go to Google Cloud. */
  readonly google?: GoogleIdentity;
}

export interface GoogleIdentity {
  /** `projects/<number>/locations/global/workloadIdentityPools/<pool>/providers/<provider>`. */
  readonly provider: string;
  /** Which is impersonated; absent where the token itself has the permissions. */
  readonly serviceAccount: Readonly<Partial<Record<Phase, string>>>;
}
