import type { ForMerge, ReviewedBefore } from '../plan/merge-review.ts';
import type { Root } from '../root/model.ts';
import type { Lock } from './lock.ts';
import type { Revision } from './revision.ts';

/** `preview`: somebody opened or changed a pull request; nothing is applied. */
export const TRIGGERS = ['merge', 'manual', 'preview'] as const;

export type Trigger = (typeof TRIGGERS)[number];

/** A request to deploy a revision to a root. */
export interface DeploymentRequest {
  /** `<delivery>:<root>`; a lane drops a request that it has seen. */
  readonly requestId: string;
  readonly root: Root;
  readonly revision: Revision;
  readonly trigger: Trigger;
  readonly rerun: boolean;
  /** An admin skipped the requirements (`apply -f`). */
  readonly force: boolean;
  /** Login on the forge. */
  readonly requestedBy: string;
  /** The forge's id of the same person, where it gave one. */
  readonly requestedById?: number;
  readonly pullRequest?: number;
  /** Present when, and only when, the trigger is `preview`: then the revision is what merging the two would give. */
  readonly preview?: PreviewParents;
  /** The id of its `Rollout`, if some of its deployments wait for others. */
  readonly rollout?: string;
  /** Present when its revision deploys several roots. */
  readonly together?: Together;
  /** Present when the root's place is known, but not by the root's name. */
  readonly formerly?: Formerly;
  /** Present when a person confirmed a plan for this merge. */
  readonly reviewed?: ReviewedBefore;
  /** Warnings about the configuration of its revision, at most 3 of one line and 200 characters; absent where there are none. Hostile. */
  readonly configWarnings?: readonly string[];
  /**
   * When intake signed the order, by its clock, ISO 8601: the workflow that carries it can say any time. Absent in previews.
   */
  readonly orderedAt?: string;
  /** ISO 8601. No door accepts the order afterwards. Absent in previews, which say so themselves, and before intake signs the order. */
  readonly expiresAt?: string;
  /**
   * GitHub's number of the App's installation, as it was ordered. The workflow that carries the order may know an older one. Absent
   * before intake signs the order.
   */
  readonly installationId?: number;
  /** Intake's signature of the order; `orderOf` puts the two together. */
  readonly order?: string;
}

/** Deployments of one revision, which one check run shows together. */
export interface Together {
  /** `<sha>/<source>`: the id of their `Rollout`. */
  readonly rollout: string;
  /** They are so many that each has a check run of its own only once a person is needed, or it has ended. */
  readonly isLarge?: true;
  /** The id of the `Rollout` whose waves say when they go; absent for those that wait for no wave. */
  readonly waves?: string;
}

/** The commits whose merge is planned, 40 hex digits each. */
export interface PreviewParents {
  /** The head of the pull request or the group. Check runs are on it. */
  readonly headSha: string;
  readonly baseSha: string;
  /** ISO 8601. No host plans it afterwards: its code may be hostile, and what it sees then nobody knows. */
  readonly expiresAt: string;
  /** As in `PreviewSubject`. */
  readonly group?: string;
  /** It has no check run of its own: its pull request modifies more roots than anybody reads, or that of a failed apply shows it. */
  readonly isOnlyInTable?: boolean;
  /** The merge removes the root: nothing is planned. The revision is the base, and its summary has what the state holds. */
  readonly isRemoval?: true;
  readonly forMerge?: ForMerge;
  /** The head is a revision whose apply failed, and the base, which is what is planned, the last good one. */
  readonly reverts?: Reverting;
}

/** After a failed apply: what going back to the last good revision would do. */
export interface Reverting {
  /** Whose apply failed. */
  readonly deploymentId: string;
  /** The pull request that brought the failed revision; absent where the forge knows none. */
  readonly pullRequest?: number;
  /** The one that brought the last good revision. */
  readonly toPullRequest?: number;
  /** When the last good revision was deployed, ISO 8601; absent where its record is gone. */
  readonly deployedAt?: string;
  /** How many commits came to the branch between the two; absent where nobody knows. */
  readonly between?: number;
}

/** The root that was deployed to the same directory and workspace under another name. */
export interface Formerly {
  readonly rootName: string;
  /** The lock of its lane, which holds for the new name, too. */
  readonly lock?: Lock;
}
