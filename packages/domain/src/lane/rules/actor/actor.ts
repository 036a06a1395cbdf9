/** A lane at work: its state, and the progress of its record, its running deployment and its check runs. Plain data. */
import type { Reported } from '../../../deployment/check-run.ts';
import type { Presentation } from '../../../deployment/presentation.ts';
import type { Admitted, ReturnedEnd } from '../../activities.ts';
import type { Repository } from '../../../root/repository.ts';
import type { AuditEvent } from '../../../trail/audit-event.ts';
import type { CarriedLane, LaneDurations } from '../../input.ts';
import type { Patience } from '../check-runs/patience.ts';
import type { LaneState } from '../state/lane-state.ts';
import type { Effect, PassOn } from './effects.ts';
import type { CancelRequested, LaneMessage } from './events.ts';

export interface LaneActor {
  readonly repository: Repository;
  readonly rootName: string;
  readonly durations: LaneDurations;
  /** The id of this run of the workflow. */
  readonly runId: string;
  readonly state: LaneState;
  /** Undefined once the record has been read. */
  readonly reading: Reading | undefined;
  /** What came since the lane was opened with a hint; undefined once storage has confirmed it, or where there was none. */
  readonly hinted: Hinted | undefined;
  readonly stage: Stage;
  readonly record: RecordKeeping;
  readonly doubts: Doubts;
  readonly showing: Showing;
  readonly looking: Looking;
  /** The kind of work that is under way. */
  readonly work: Effect['kind'] | undefined;
  readonly passOns: readonly PassOn[];
  /** Messages that were sent and are not answered yet. */
  readonly passingOn: readonly PassOn[];
  /** Somebody cancelled the lane: nothing starts any more. */
  readonly isCancelled: boolean;
  /** Since when there has been nothing to do, in epoch milliseconds. */
  readonly idleSince: number | undefined;
  /** How long a lane without work waits before it ends, in milliseconds. */
  readonly idleForMs: number;
  /** Deployments that ran in this run of the workflow. */
  readonly runs: number;
}

/** The lane does not have its record yet. It keeps messages until then, and decides them afterwards. */
export interface Reading extends Retry {
  readonly messages: readonly (LaneMessage | CancelRequested)[];
  /** The lane that the previous run handed over. */
  readonly carried: CarriedLane | undefined;
  /** Why the record cannot be read; undefined while no reason is known. */
  readonly why: string | undefined;
  /** How many reasons were found in a row. */
  readonly reasons: number;
}

export type Hinted = readonly (LaneMessage | CancelRequested)[];

/** How far the running deployment has come. */
export type Stage =
  | { readonly kind: 'none' }
  /**
   * The lane asks whether the deployment may run, and stores that it runs. At a closed gate, it asks again for the deployment whose turn
   * it is by then. It asks at once where somebody said, during the question, that the answer may be another one.
   */
  | ({
      readonly kind: 'admit';
      readonly isAtGate?: boolean;
      readonly isRung?: boolean;
      /** The last one at a gate. */
      readonly pause?: GatePause | undefined;
    } & Retry)
  | ({ readonly kind: 'start'; readonly reviewRequired: boolean } & Pick<Admitted, 'readToken'>)
  /** Temporal was asked to start its terraform workflow. */
  | { readonly kind: 'starting' }
  /** Its terraform workflow is at work, and says when it has ended. A child of this run also reports its close. */
  | { readonly kind: 'following'; readonly reportsClose: boolean }
  /** Its terraform workflow has returned its end, at this time in epoch milliseconds: it counts once control has verified it. */
  | ({ readonly kind: 'end'; readonly result: ReturnedEnd; readonly at: number } & Retry)
  /** The lane does not know the state of its terraform workflow, and asks for it. */
  | ({ readonly kind: 'find' } & Retry);

/** How long a lane waited at a closed gate before it asked again. */
export interface GatePause {
  readonly ms: number;
  /** The facts of the gate could not be read. */
  readonly isSoon: boolean;
}

/** A failed step is retried at `dueAt`, in epoch milliseconds, and then at growing intervals. */
export interface Retry {
  readonly dueAt: number;
  readonly waitMs: number;
}

/** Waiting deployments that may have ended, and when the lane asks about the next one. */
export interface Doubts extends Retry {
  readonly ids: readonly string[];
}

export interface RecordKeeping extends Retry {
  /** The version of the stored record; null before the first write. */
  readonly version: string | null;
  readonly sequence: number;
  /** When this run last stored the record, in epoch milliseconds; 0 before the first time. */
  readonly storedAt: number;
  /** The record has changed since it was last sent to storage. */
  readonly isDirty: boolean;
  /** How many ended deployments the stored record holds, because their check runs or own records were not up to date. */
  readonly untold: number;
  /** Ended deployments whose own record is stored. */
  readonly kept: readonly string[];
  readonly audits: readonly AuditEvent[];
  /** Why nothing can be stored, as the end of a sentence; undefined when storage works. */
  readonly why: string | undefined;
}

export interface Showing {
  /** The known state of each deployment's check run. */
  readonly reported: Readonly<Record<string, Reported>>;
  readonly patience: Patience;
  /** The presentations under way, without those whose check run another writer has written meanwhile. */
  readonly sending: readonly Presentation[] | undefined;
  /** Since when there has been a difference that is shown only if it lasts, in epoch milliseconds. */
  readonly differsSince: number | undefined;
  /** When positions far back in the queue are shown next, in epoch milliseconds. */
  readonly positionsDueAt: number;
  /** For a cancelled lane: from how many batches in a row the forge took nothing. */
  readonly failures: number;
}

/** The known answers to the question about dependencies in other lanes. */
export interface Looking extends Retry {
  /** The deployments that are asked about at the moment. */
  readonly asked: readonly string[];
  /** Somebody said that an answer may have changed. */
  readonly isNudged: boolean;
}

/** Whether what the lane decided may have to be decided again: storage has not confirmed its hint. */
export function isUnconfirmed({ hinted }: Pick<LaneActor, 'hinted'>): boolean {
  return hinted !== undefined && hinted.length > 0;
}

/** Due at once. */
export const AT_ONCE: Retry = { dueAt: 0, waitMs: 0 };

/** The retry after another failure. */
export function later({ waitMs }: Retry, { retryMs, retryLimitMs }: LaneDurations, now: number): Retry {
  const nextMs = waitMs === 0 ? retryMs : Math.min(waitMs * 2, retryLimitMs);
  return { dueAt: now + nextMs, waitMs: nextMs };
}
