/** What the server's file says of repositories and of their roots. */
import type { PermissionKey } from '@nereid/domain/actions';
import type { Reminders } from '@nereid/domain/gates';
import type { AutoRule, PermissionRule } from '@nereid/domain/root';
import type { Phase } from '@nereid/domain/tokens';
import type { CamelKeys } from '../settings/camel-keys.ts';
import type { TimeoutMs } from '../settings/timeout.ts';
import type * as written from './repository-entry-schema.ts';
import type { WorkingHours } from './windows/working-hours.ts';

/** The settings of a whole repository, as far as they are written. */
export type OwnSettings = CamelKeys<Pick<written.RepositoryEntry, written.RepositoryKey>>;

export interface RepositoryEntry extends OwnSettings {
  readonly settings: RootSettings;
  readonly roots: readonly RootRule[];
}

export type PullRequestComment = NonNullable<RepositoryEntry['pullRequestComment']>;

export interface RootRule {
  /** A glob of directories, or `name:` and a glob of names. */
  readonly match: string;
  readonly settings: RootSettings;
}

/** The keys with a form of their own in the code. */
type Formed =
  'timeout' | 'max_plan_age' | 'environment' | 'env_from' | 'identity' | 'permissions' | 'review' | 'auto_when';

/** Settings of a repository or of some of its roots. */
export interface RootSettings extends CamelKeys<Omit<written.Settings, Formed>> {
  readonly timeoutMs?: TimeoutMs;
  /** An older plan is made again before it is applied. */
  readonly maxPlanAgeMs?: number;
  readonly environment?: Environments;
  readonly envFrom?: SecretFiles;
  readonly identity?: IdentitySettings;
  readonly permissions?: ActionRules;
  readonly review?: ReviewSettings;
  readonly autoWhen?: AutoWhenSettings;
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
