/** A lane at work: the lane as it stands, and how far its record, its running deployment and its check runs are. Plain data. */
import type {
  AuditEvent,
  CarriedLane,
  LaneDurations,
  LaneInput,
  Presentation,
  Reported,
  Repository,
} from '@nereid/contracts';
import { unhurried, type Patience } from '../check-runs/patience.ts';
import { newLane, type LaneState } from '../state/lane-state.ts';
import { laneDurations } from './durations.ts';
import type { Effect, PassOn } from './effects.ts';
import type { CancelRequested, LaneMessage } from './events.ts';

export interface LaneActor {
  readonly repository: Repository;
  readonly rootName: string;
  readonly durations: LaneDurations;
  /** Of this run of the workflow. */
  readonly runId: string;
  readonly state: LaneState;
  /** Undefined once the record is there. */
  readonly reading: Reading | undefined;
  readonly stage: Stage;
  readonly record: RecordKeeping;
  readonly showing: Showing;
  /** What of the work is under way. */
  readonly work: Effect['kind'] | undefined;
  readonly passOns: readonly PassOn[];
  /** Sent, and not answered yet. */
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

/** The record is not there yet: what came meanwhile is kept, and decided when it is. */
export interface Reading extends Retry {
  readonly messages: readonly (LaneMessage | CancelRequested)[];
  /** What the run before handed over. */
  readonly carried: CarriedLane | undefined;
  /** Why it cannot be read; undefined: not known to be so. */
  readonly why: string | undefined;
  /** How many reasons were found one after the other. */
  readonly reasons: number;
}

/** How far the running deployment has come. */
export type Stage =
  | { readonly kind: 'none' }
  /** Whether it may run is asked, and that it does is stored. */
  | ({ readonly kind: 'admit' } & Retry)
  | { readonly kind: 'start'; readonly reviewRequired: boolean }
  /** Temporal was asked to start its terraform workflow. */
  | { readonly kind: 'starting' }
  /** Its terraform workflow is at work, and says when it has ended. A child of this run also reports its close. */
  | { readonly kind: 'following'; readonly reportsClose: boolean }
  /** Nobody here knows what became of its terraform workflow. */
  | ({ readonly kind: 'find' } & Retry);

/** What failed is tried again at `dueAt`, in epoch milliseconds, and after that later and later. */
export interface Retry {
  readonly dueAt: number;
  readonly waitMs: number;
}

export interface RecordKeeping extends Retry {
  /** Of the stored record; null before the first write. */
  readonly version: string | null;
  readonly sequence: number;
  /** When this run last stored it, in epoch milliseconds; 0 before. */
  readonly storedAt: number;
  /** Something in it changed since it was last sent to storage. */
  readonly isDirty: boolean;
  /** How many ended deployments it holds, as stored, of which somebody did not know then. */
  readonly untold: number;
  /** Ended deployments whose own record is stored. */
  readonly kept: readonly string[];
  readonly audits: readonly AuditEvent[];
  /** Why nothing can be stored, as the end of a sentence; undefined: it can. */
  readonly why: string | undefined;
}

export interface Showing {
  /** What is known of each deployment's check run. */
  readonly reported: Readonly<Record<string, Reported>>;
  readonly patience: Patience;
  /** Under way; without those that another writer wrote meanwhile. */
  readonly sending: readonly Presentation[] | undefined;
  /** Since when something differs that is shown if it lasts, in epoch milliseconds. */
  readonly differsSince: number | undefined;
  /** When positions far back are shown again, in epoch milliseconds. */
  readonly positionsDueAt: number;
  /** Of a cancelled lane, how many batches in a row GitHub took nothing of. */
  readonly failures: number;
}

/** Tried at once. */
export const AT_ONCE: Retry = { dueAt: 0, waitMs: 0 };

/** Idle lanes of one merge would otherwise all end, and write, in the same second. */
const IDLE_JITTER = 0.1;

/** `random` is a number from 0 to 1. */
export function openLane(input: LaneInput, runId: string, random: number): LaneActor {
  const durations = { ...laneDurations, ...input.durations };
  return {
    repository: input.repository,
    rootName: input.rootName,
    durations,
    runId,
    state: newLane,
    reading: { ...AT_ONCE, messages: [], carried: input.carried, why: undefined, reasons: 0 },
    stage: { kind: 'none' },
    record: {
      ...AT_ONCE,
      version: null,
      sequence: 0,
      storedAt: 0,
      isDirty: false,
      untold: 0,
      kept: [],
      audits: [],
      why: undefined,
    },
    showing: {
      reported: {},
      patience: unhurried,
      sending: undefined,
      differsSince: undefined,
      positionsDueAt: 0,
      failures: 0,
    },
    work: undefined,
    passOns: [],
    passingOn: [],
    isCancelled: false,
    idleSince: undefined,
    idleForMs: durations.idleMs * (1 + IDLE_JITTER * (2 * random - 1)),
    runs: 0,
  };
}

/** After another failure. */
export function later({ waitMs }: Retry, { retryMs, retryLimitMs }: LaneDurations, now: number): Retry {
  const nextMs = waitMs === 0 ? retryMs : Math.min(waitMs * 2, retryLimitMs);
  return { dueAt: now + nextMs, waitMs: nextMs };
}
