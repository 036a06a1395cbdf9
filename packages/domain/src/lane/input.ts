import type { ShownNotice } from '../deployment/notice.ts';
import type { Reported } from '../deployment/check-run.ts';
import type { Repository } from '../root/repository.ts';
import type { StoredLane } from './activities.ts';
import type { AuditEvent } from '../trail/audit-event.ts';
import type { LaneRecord } from './record.ts';

/** The start input of the deploy workflow. Every sender of a message knows enough to build it, for signal-with-start. */
export interface LaneInput {
  readonly repository: Repository;
  readonly rootName: string;
  readonly durations?: Partial<LaneDurations>;
  /** Saves the lane its own reading. */
  readonly hint?: LaneHint;
  /** The lane that the previous run handed over when it continued as new. */
  readonly carried?: CarriedLane;
}

/** The stored record as the sender of the first message found it; null when there was none. */
export interface LaneHint {
  readonly stored: StoredLane | null;
  /** By the sender's clock, in epoch milliseconds. */
  readonly at: number;
}

export interface CarriedLane {
  readonly record: LaneRecord;
  /** The version of the stored record; null when none was ever stored. */
  readonly recordVersion: string | null;
  readonly notices: Notices;
  /** The known state of the check runs, by deployment. */
  readonly reported: Readonly<Record<string, Reported>>;
  /** Events of ends that the audit trail has not taken yet. */
  readonly audits?: readonly AuditEvent[];
}

/** Sentences that check runs show at the top for a while, by deployment. */
export type Notices = Readonly<Record<string, ShownNotice>>;

/** Milliseconds. Passed in so that tests run in milliseconds. */
export interface LaneDurations {
  /** A lane without work ends after this time, give or take 10 %. */
  readonly idleMs: number;
  /** A change to a `queued` or `in_progress` check run is shown only when it lasts longer than this. */
  readonly quietMs: number;
  /** Check runs beyond the third position in the queue show a new position at most this often. */
  readonly positionsMs: number;
  /** The lane's record is written at most this often, except before a child starts. */
  readonly storeMs: number;
  /** The first wait after something outside the lane failed; it doubles up to `retryLimitMs`. */
  readonly retryMs: number;
  readonly retryLimitMs: number;
  /** How soon the deployments that one waits for are looked at again if nobody says anything; doubles up to the limit. */
  readonly dependenciesMs: number;
  readonly dependenciesLimitMs: number;
}
