import type { Signed } from '../signed.ts';
import type { OtherState } from './other-state.ts';
import type { PlanSummary } from './summary.ts';
import type { PolicyResult } from './policy.ts';

/** A host's statement: this is the plan that it made of that order. */
export interface MadePlan {
  readonly version: 1;
  /** Of the deployment, or of the preview. */
  readonly deploymentId: string;
  /** The signature of its order. */
  readonly order: string;
  /** SHA-256 of the plan file, 64 hex digits; of a removed root, of the list of its resources. A review names it. */
  readonly digest: string;
  readonly hasChanges: boolean;
  readonly summary: PlanSummary;
  /** When its host began it, ISO 8601. One without it is older than any limit. */
  readonly plannedAt?: string;
  /** The digest of Terraform's own text of the plan (`PlanText`), 64 hex digits; absent for a plan without changes. */
  readonly textDigest?: string;
  /** The digest of the text with more room, 64 hex digits; present where the text lacks something. */
  readonly wholeTextDigest?: string;
  /**
   * The types of all resources that change, each once, at most 50. Made for roots with `autoWhen`; absent where the host cannot say that
   * it knows everything that an apply would do.
   */
  readonly types?: readonly string[];
  /**
   * The digest of everything that an apply would change, 64 hex digits. Made for roots with `carryReview`; absent where the host cannot
   * say that it knows all of that, or where the digest could give away a secret.
   */
  readonly changes?: string;
  /** What the policies for its root say; absent when there are none. */
  readonly policies?: readonly PolicyResult[];
  /** Absent when there are none. */
  readonly warnings?: PlanWarnings;
  /**
   * Why it may be the plan of something else than its people think, as a clause of one line and at most 500 characters: a person
   * reviews it, whatever the settings of the root are. Absent where nothing speaks for that. Hostile.
   */
  readonly doubt?: string;
  /**
   * `<serial> <lineage>` of the state that it was made of, at most 120 characters; absent where the plan does not tell. Hostile.
   */
  readonly stateVersion?: string;
  /** Of a preview whose workspace is not there: it was planned against nothing, and cannot be applied. */
  readonly newWorkspace?: true;
}

export interface Plan {
  /** As its host signed it. */
  readonly made: Signed<MadePlan>;
  readonly reviewRequired: boolean;
  /** Present where it was made of another state than the deployment before it left: a person is asked. */
  readonly otherState?: OtherState;
  /** It was made and reviewed before the merge: by the preview that the order names. */
  readonly beforeMerge?: true;
  /** When the review ends by itself, ISO 8601; present while a review is required. */
  readonly expiresAt?: string;
}

/**
 * The warnings of init and plan, and the checks that failed, without the secrets that the log hides. A plan without changes has
 * them as well.
 */
export interface PlanWarnings {
  /** At most 10, of one line and 500 characters each, checks first: hostile. */
  readonly texts: readonly string[];
  /** How many more there were; absent when there were none. */
  readonly omitted?: number;
}

/**
 * Terraform's own text of a plan with changes, for people who review it. It is kept in storage, beside the log of
 * its job, and is never part of a message or of a history.
 */
export interface PlanText {
  /**
   * Lines of at most 60,000 bytes together, without the secrets that the log hides: what is destroyed or replaced comes first.
   * Pages have one of at most `WHOLE_PLAN_TEXT_BYTES`. Values of the repository and of the cloud: hostile.
   */
  readonly text: string;
  /** How many resources of the plan had no room. */
  readonly leftOut: number;
  /** Whether anything else is missing: the rest of a long line or of a long resource, outputs, notes. */
  readonly isShortened: boolean;
}

/** 5,000 resources with 30 attributes each. The console reads that in some hundredths of a second. */
export const WHOLE_PLAN_TEXT_BYTES = 8 * 1024 ** 2;
