/** A lane, as the console keeps it in memory: what lists show, and bounded, because a record may hold anything. Pure. */
import type { LaneName } from '@nereid/domain/console';
import { defined } from '@nereid/domain/defined';
import {
  hasEnded,
  planCounts,
  readWaitAtGate,
  type AppliedCounts,
  type Carrier,
  type Deployment,
  type Lock,
  type Progress,
} from '@nereid/domain/deployment';
import { type LaneRecord, type Latest, type Undeployed, viewOfRecord } from '@nereid/domain/lane';
import type { Root } from '@nereid/domain/root';
import { describeReview, objectingPolicies, peopleNamed } from '@nereid/domain/gates';

/** A deployment as lists show it; a record has some kilobytes more. */
export type FleetDeployment = Pick<
  Deployment,
  'id' | 'revision' | 'trigger' | 'rerun' | 'requestedBy' | 'receivedAt'
> & {
  readonly status: Progress['status'];
  readonly times: Progress['times'];
  /** Why it does not go on, as a clause or a sentence. */
  readonly reason?: string;
  readonly checkRunId?: number;
  readonly carrier?: Carrier;
  /** What its plan waits for, as the end of "Waiting for": "@alice's review". Only of one that has not ended. */
  readonly review?: string;
  /** The people whom the rule of that review names, by login. */
  readonly reviewers?: readonly string[];
  readonly reviewWait?: ReviewWait;
  readonly waitsFor?: Progress['waitsFor'];
  /** Only of one that has ended. */
  readonly applied?: AppliedCounts;
};

/** The wait for a review, as the workflow of the deployment describes it. */
export interface ReviewWait {
  /** ISO 8601. */
  readonly since?: string;
  readonly endsAt?: string;
  /** "2 to add, 1 to change, 0 to destroy". */
  readonly changes?: string;
  /** The policies that deny the plan. */
  readonly objecting?: readonly string[];
  /** The answer of a person, after which the apply has not begun. */
  readonly answered?: { readonly by: string; readonly how: 'confirmed' | 'overrode the policies of' };
}

export interface FleetLane extends LaneName {
  /** Absent when its record cannot be read. */
  readonly installationId?: number;
  readonly latest?: Latest;
  readonly lock?: Lock;
  readonly running?: FleetDeployment;
  /** In the order in which they will run. */
  readonly waiting: readonly FleetDeployment[];
  /** As in the lane's record. */
  readonly undeployed: readonly Undeployed[];
  /** Why nothing runs, as a clause. */
  readonly waitsFor?: string;
  /** Its record cannot be read. */
  readonly isUnreadable?: true;
  /** Its workflow, or that of what it runs, is stuck. */
  readonly isStuck?: true;
  /** Opaque; changes whenever its record does. */
  readonly stamp: string;
}

/** Git is read up to this much of a title; a record that says more is cut, whoever wrote it. */
const TEXT_LIMIT = 200;

/** Longer lists name no one in particular. */
const REVIEWERS_LIMIT = 20;

/** A reason may quote what the forge answered. */
const REASON_LIMIT = 500;

export function laneOfRecord(name: LaneName, record: LaneRecord | undefined): Omit<FleetLane, 'stamp'> {
  if (record === undefined) return { ...name, waiting: [], undeployed: [] };
  const { latest, lock, running, waiting, undeployed, waitsFor } = viewOfRecord(record);
  return {
    ...name,
    installationId: record.repository.installationId,
    ...(latest && { latest }),
    ...(lock && { lock: { ...lock, by: cut(lock.by) } }),
    ...(running && { running: briefly(running) }),
    waiting: waiting.map(briefly),
    undeployed: undeployed.map(cutUndeployed),
    ...(waitsFor !== undefined && { waitsFor: waitsFor.slice(0, REASON_LIMIT) }),
  };
}

export function briefly(deployment: Deployment): FleetDeployment {
  const { id, revision, trigger, rerun, requestedBy, receivedAt, progress, checkRuns, carrier, root } = deployment;
  const { status, reason, times } = progress;
  const waitsFor = typeof progress.waitsFor === 'object' ? readWaitAtGate(progress.waitsFor) : undefined;
  const checkRunId = checkRuns.at(-1)?.id;
  return {
    ...withCutTexts({ id, revision, trigger, rerun, requestedBy, receivedAt, status, times }),
    ...(reason !== undefined && { reason: reason.slice(0, REASON_LIMIT) }),
    ...defined({ checkRunId, waitsFor }),
    ...(carrier && { carrier }),
    ...(!hasEnded(status) && reviewOf(root)),
  };
}

function reviewOf({ permissions, review }: Root): Pick<FleetDeployment, 'review' | 'reviewers'> {
  const { confirm: rules } = permissions;
  return { review: describeReview(rules, review), reviewers: peopleNamed(rules).slice(0, REVIEWERS_LIMIT) };
}

/** Texts that no record is checked for, and that lists show only the beginning of. */
export function withCutTexts<D extends Pick<FleetDeployment, 'revision' | 'requestedBy'>>(one: D): D {
  const { revision, requestedBy } = one;
  const cutRevision = { ...revision, title: cut(revision.title), author: cut(revision.author) };
  return { ...one, revision: cutRevision, requestedBy: cut(requestedBy) };
}

/** The same deployment, as far as its own workflow says it is. Its lane knows better that it has ended. */
export function withProgress(deployment: FleetDeployment, progress: Progress): FleetDeployment {
  const { status, reason, waitsFor, times } = progress;
  if (hasEnded(status)) return deployment;
  const { reason: _before, waitsFor: _earlier, ...rest } = deployment;
  return {
    ...rest,
    status,
    // Only the lane knows when it was queued.
    times: { ...deployment.times, ...times },
    ...(reason !== undefined && { reason: reason.slice(0, REASON_LIMIT) }),
    ...(waitsFor && { waitsFor }),
    ...(status === 'awaiting-review' && { reviewWait: reviewWaitOf(progress) }),
  };
}

function reviewWaitOf({ times, plan, overrides = [], review }: Progress): ReviewWait {
  const objecting = plan === undefined ? [] : objectingPolicies(plan.made.body, overrides);
  const since = times['awaiting-review'];
  const override = plan?.reviewRequired === false && objecting.length === 0 ? overrides.at(-1) : undefined;
  return {
    ...defined({ since }),
    ...(plan?.expiresAt !== undefined && { endsAt: plan.expiresAt }),
    ...(plan && { changes: planCounts(plan.made.body.summary) }),
    ...(objecting.length > 0 && { objecting: objecting.map(({ name }) => cut(name)) }),
    ...(override && { answered: { by: cut(override.body.by), how: 'overrode the policies of' } }),
    ...(review && { answered: { by: cut(review.by), how: 'confirmed' } }),
  };
}

function cutUndeployed({ revision, reason, requestedBy, ...one }: Undeployed): Undeployed {
  return {
    ...one,
    revision: { ...revision, title: cut(revision.title) },
    requestedBy: cut(requestedBy),
    ...(reason !== undefined && { reason: cut(reason) }),
  };
}

/** A text that a record lacks is empty. */
function cut(text: string | undefined): string {
  return (text ?? '').slice(0, TEXT_LIMIT);
}
