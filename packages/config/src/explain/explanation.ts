/** Which rules hold for a root, and where each of them stands. */
import type { Place } from '../yaml/problem.ts';

export interface Explanation {
  /** `owner/name`. */
  readonly repository: string;
  readonly root: string;
  readonly dir: string;
  /** Behind symbolic links; absent where it is no other directory. */
  readonly realDir?: string;
  /** Absent for a root that is discovered. */
  readonly declaredAt?: Place;
  readonly settings: readonly ExplainedSetting[];
}

export interface ExplainedSetting {
  /** As it is written: `plan_review`, `permissions.confirm`. */
  readonly key: string;
  /** In words; never the value of a variable. */
  readonly value: string | readonly string[];
  /** Nobody has written it. */
  readonly isDefault: boolean;
  readonly choice: Choice;
  /** Everything that sets it for this root, in the order in which it is looked at. */
  readonly sources: readonly SettingSource[];
}

/** Of several sources, the first counts, or the strictest rule, or all rules together. */
export type Choice = 'first' | 'strictest' | 'together';

export interface SettingSource {
  readonly kind: SourceKind;
  readonly at: Place;
  /** The globs by which it is about the root, like `prod/** of acme/*`. */
  readonly match?: string;
  readonly value: string | readonly string[];
  readonly counts: boolean;
  /** Why it does not count. */
  readonly why?: string;
}

/** `rule`: of the server's file, for some roots. `entry`: of the server's file, for repositories. `server`: for all of them. */
export type SourceKind = 'rule' | 'repository' | 'entry' | 'server';
