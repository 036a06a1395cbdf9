import { z } from 'zod';
import type { LiftedLock, Lock } from '../deployment/lock.ts';
import type { Deployment } from '../deployment/model.ts';
import type { Progress } from '../deployment/progress.ts';
import { deploymentParts, envelopeOf, lockParts } from '../deployment/record.ts';
import { TRIGGERS, type Trigger } from '../deployment/request.ts';
import { DEPLOYMENT_STATUSES, ENDED_STATUSES } from '../deployment/status.ts';
import type { LeftState } from '../plan/other-state.ts';
import { ON_FAILURE } from '../root/model.ts';
import { repositoryParts } from '../root/record.ts';
import type { Repository } from '../root/repository.ts';
import { partsOf } from '../stored.ts';
import type { CancelAnswer, UnlockAnswer } from './messages.ts';
import type { LaneTurn } from './turn.ts';
import type { Undeployed } from './undeployed.ts';

const text = z.string().min(1);
const status = z.enum(DEPLOYMENT_STATUSES);
const trigger = z.enum(TRIGGERS);

/** A lane as it is stored, and handed over to the next run: a lane that ended starts again exactly as it stood. */
export interface LaneRecord {
  readonly version: 1;
  readonly repository: Repository;
  readonly rootName: string;
  readonly latest?: Latest;
  readonly lock?: Lock;
  /** The last locks that somebody lifted, newest last. */
  readonly lifted?: readonly LiftedLock[];
  readonly running?: Deployment;
  readonly manual: readonly Deployment[];
  readonly merged: readonly Deployment[];
  /**
   * Ended deployments whose check runs or own records may not say so yet. When they are too large together, the oldest are
   * shortened or dropped.
   */
  readonly ended?: readonly Deployment[];
  readonly seen: Seen;
  /** The last 50 deployments that ended without taking effect since the deployed one, the latest end last. Absent when there are none. */
  readonly undeployed?: readonly Undeployed[];
  /** The last judged requests, oldest first. A repeated request gets the same answer. */
  readonly judged?: readonly Judged[];
  /** The writer of the record: after a conflict, a writer can tell its own write from another's. */
  readonly writer: { readonly runId: string; readonly sequence: number };
}

/** The last deployment whose apply began, or whose plan had no changes. */
export interface Latest {
  readonly deploymentId: string;
  readonly revision: string;
  readonly trigger: Trigger;
  readonly status: Progress['status'];
  /** When its apply began, or when it turned out to have no changes. ISO 8601. */
  readonly at: string;
  /** A re-run of a revision on the default branch. Its trigger is manual, but it counts as a merge. */
  readonly rerun?: boolean;
  /** Only for a manual deployment that is no re-run: the commit of the last merge that was deployed before it. */
  readonly mergeBefore?: string;
  /** The position on the branch of the last merge that was deployed, by this one or before it. Absent before the first merge. */
  readonly branchPosition?: number;
  /** Absent where nobody knows whether there is one. */
  readonly state?: LeftState;
}

/** A request that was accepted or refused. */
export interface Judged {
  readonly requestId: string;
  readonly answer: UnlockAnswer | CancelAnswer;
}

/** The last 500 of each; a request that was seen is dropped. */
export interface Seen {
  readonly requestIds: readonly string[];
  /** SHAs of accepted merges. */
  readonly merges: readonly string[];
}

export const laneRecord = partsOf<LaneRecord>()(
  z.object({
    repository: repositoryParts,
    rootName: text,
    latest: z
      .object({
        deploymentId: text,
        revision: text,
        trigger,
        status,
        at: text,
        rerun: z.boolean().optional(),
        mergeBefore: text.optional(),
        branchPosition: z.number().optional(),
        state: z.object({ lineage: z.string().optional() }).optional(),
      })
      .optional(),
    lock: lockParts.optional(),
    lifted: z
      .array(lockParts.extend({ unlock: envelopeOf({ by: z.string(), askedAt: text }), liftedAt: text }))
      .optional(),
    running: deploymentParts.optional(),
    manual: z.array(deploymentParts),
    merged: z.array(deploymentParts),
    ended: z.array(deploymentParts).optional(),
    undeployed: z
      .array(
        z.object({
          deploymentId: text,
          revision: z.object({ sha: text, position: z.number(), title: z.string() }),
          trigger,
          rerun: z.boolean(),
          requestedBy: z.string(),
          status: z.enum(ENDED_STATUSES),
          at: text,
          reason: z.string().optional(),
        }),
      )
      .optional(),
    seen: z.object({ requestIds: z.array(z.string()), merges: z.array(z.string()) }),
    judged: z.array(z.object({ requestId: text, answer: z.object({ kind: text }) })).optional(),
    writer: z.object({ runId: text, sequence: z.number() }),
  }),
);

const locking = deploymentParts
  .pick({ id: true, trigger: true, rerun: true, requestedBy: true, foundLock: true })
  .extend({
    revision: z.object({ sha: text, branch: text }),
    requestedById: z.number().optional(),
    root: z.object({ name: text, onFailure: z.enum(ON_FAILURE) }),
  });

export const laneTurn = partsOf<LaneTurn>()(
  z.object({
    rootName: text,
    last: z
      .object({
        deployment: locking,
        pool: text,
        at: z.iso.datetime(),
        jobIds: z.array(text),
        plan: z.object({ hasChanges: z.boolean(), stateVersion: z.string().optional() }).optional(),
        lifted: z.enum(['before its end', 'after its end']).optional(),
      })
      .optional(),
    applied: locking.optional(),
    deployed: locking.optional(),
    state: z.object({ lineage: z.string().optional() }).optional(),
    since: text.optional(),
    isOrdered: z.literal(true).optional(),
    unlocked: z.object({ by: z.string(), byId: z.number().optional(), at: z.iso.datetime() }).optional(),
  }),
);
