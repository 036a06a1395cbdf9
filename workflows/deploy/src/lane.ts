/** A lane at work: its state, and what the loops of the workflow wait for. Decides nothing; `lane-state.ts` does. */
import { workflowInfo } from '@temporalio/workflow';
import type { CarriedLane, Deployment, LaneDurations, LaneInput, LaneView, Repository } from '@nereid/contracts';
import { laneDurations } from './durations.ts';
import { newLane, waitsFor, type LaneState } from './lane-state.ts';
import { unhurried, type Patience } from './patience.ts';
import { first, inOrder } from './queue.ts';
import { endedWithin } from './record.ts';

/** A run's history stays far below Temporal's limits; the server's own suggestion comes first where lanes are busy. */
const RUNS_UNTIL_CONTINUED = 500;

export interface Lane {
  readonly repository: Repository;
  readonly rootName: string;
  readonly durations: LaneDurations;
  /** What the run before handed over. */
  readonly carried: CarriedLane | undefined;
  state: LaneState;
  /** False until the record is there; messages wait in the inbox meanwhile. */
  isRestored: boolean;
  readonly inbox: ((state: LaneState) => LaneState)[];
  /** The deployments that came before the record was there, as a lane without one would hold them. */
  arrived: LaneState;
  /** Which record cannot be read and why; undefined: not known to be so. */
  unreadable: string | undefined;
  /** The version of the stored record; null before the first write. */
  recordVersion: string | null;
  /** The state as this run last stored it; what was carried here is stored once more. */
  stored: LaneState | undefined;
  /** When this run last stored it, by the workflow's clock; 0 before. */
  storedAtMs: number;
  /** The stored record still holds ended deployments that somebody did not know of then. */
  hasStoredUntold: boolean;
  sequence: number;
  /** What lists of lanes in the Temporal UI say of it. */
  shownState: string | undefined;
  /** Digests of what each check run was last told, by deployment. */
  readonly shown: Map<string, string>;
  /** Deployments for which a check run may have been created without an answer. */
  readonly mayExist: Set<string>;
  /** When what GitHub did not take is tried again. */
  patience: Patience;
  /** Ended deployments whose own record is stored. */
  readonly kept: Set<string>;
  /** GitHub did not answer within moments: it is asked with more patience. */
  isGitHubSlow: boolean;
  isPresenting: boolean;
  /** The next run of the workflow takes over as soon as this one is at rest: nothing new is sent. */
  isLeaving: boolean;
  isStoring: boolean;
  isKeeping: boolean;
  /** The terraform workflow of the running deployment runs, and nothing is left to do for it but to wait. */
  isFollowing: boolean;
  /** Deployments that ran in this run of the workflow. */
  runs: number;
}

export function openLane(input: LaneInput): Lane {
  return {
    repository: input.repository,
    rootName: input.rootName,
    durations: { ...laneDurations, ...input.durations },
    carried: input.carried,
    state: newLane,
    isRestored: false,
    inbox: [],
    arrived: newLane,
    unreadable: undefined,
    recordVersion: null,
    stored: undefined,
    storedAtMs: 0,
    hasStoredUntold: false,
    sequence: 0,
    shownState: undefined,
    shown: new Map(),
    mayExist: new Set(),
    patience: unhurried,
    isGitHubSlow: false,
    isPresenting: false,
    isLeaving: false,
    isStoring: false,
    isKeeping: false,
    kept: new Set(),
    isFollowing: false,
    runs: 0,
  };
}

/** Whether the lane goes on in a new run, with a new history. */
export function isTimeToCarryOn(lane: Lane): boolean {
  return workflowInfo().continueAsNewSuggested || lane.runs >= RUNS_UNTIL_CONTINUED;
}

/** Whether a deployment may run now. */
export function hasTurn(lane: Lane): boolean {
  return lane.state.running === undefined && first(lane.state.queue, lane.state.lock) !== undefined;
}

export function isEmpty(lane: Lane): boolean {
  return (
    lane.state.running === undefined &&
    inOrder(lane.state.queue).length === 0 &&
    lane.inbox.length === 0 &&
    lane.arrived === newLane
  );
}

export function viewOf(lane: Lane): LaneView {
  const { latest, lock, lifted, running, queue, ended } = lane.state;
  const reason = whyBlocked(lane) ?? waitsFor(lane.state);
  return {
    repository: lane.repository,
    rootName: lane.rootName,
    ...(latest && { latest }),
    ...(lock && { lock }),
    isRestored: lane.isRestored,
    lifted,
    ...(running && { running }),
    waiting: inOrder(queue),
    // The own record of one whose end is looked at closely is in storage within moments.
    ended: endedWithin(lane.state, ended, () => true),
    ...(reason !== undefined && { waitsFor: reason }),
  };
}

/** Why nothing can be decided here; undefined: it can. */
export function whyBlocked({ isRestored, unreadable }: Lane): string | undefined {
  if (unreadable !== undefined) return `its record cannot be read: ${unreadable}`;
  return isRestored ? undefined : 'its record is read from storage';
}

/** Times of the workflow's own clock, which replays. */
export function timestamp(): string {
  return new Date(Date.now()).toISOString();
}

export function runningOf(lane: Lane): Deployment {
  const { running } = lane.state;
  if (running === undefined) throw new Error('a deployment of this lane should be running, and none is: this is a bug');
  return running;
}
