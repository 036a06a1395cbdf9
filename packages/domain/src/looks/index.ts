/**
 * How each state looks on pages and in terminals: one icon, one mood, one word, so that nobody has to see colours. Pure.
 */
import type { DeploymentStatus } from '../deployment/status.ts';
import type { HostSummary } from '../host/api.ts';
import type { LaneState } from '../lane/api.ts';
import type { Stand } from '../rollout/api.ts';

/** Which colour it has, where there are colours. */
export type Mood = 'waiting' | 'working' | 'good' | 'bad' | 'neutral';

/** Each with the character that stands for it in a terminal. */
export const ICONS = {
  alert: '!',
  check: '✓',
  clock: '◷',
  cross: '✗',
  eye: '◉',
  idle: '·',
  lock: '⌂',
  play: '▶',
  question: '?',
  same: '=',
  skip: '»',
  stop: '⊘',
  work: '●',
} as const;
export type Icon = keyof typeof ICONS;

export interface Look {
  readonly icon: Icon;
  readonly mood: Mood;
  /** As a headline. */
  readonly word: string;
}

export const STATUS_LOOK: Readonly<Record<DeploymentStatus, Look>> = {
  queued: { icon: 'clock', mood: 'waiting', word: 'Queued' },
  blocked: { icon: 'clock', mood: 'waiting', word: 'Blocked' },
  preparing: { icon: 'work', mood: 'working', word: 'Preparing' },
  planning: { icon: 'work', mood: 'working', word: 'Planning' },
  'awaiting-review': { icon: 'eye', mood: 'waiting', word: 'Waiting for a review' },
  applying: { icon: 'play', mood: 'working', word: 'Applying' },
  succeeded: { icon: 'check', mood: 'good', word: 'Applied' },
  'no-changes': { icon: 'same', mood: 'good', word: 'No changes' },
  planned: { icon: 'check', mood: 'good', word: 'Planned' },
  'plan-failed': { icon: 'cross', mood: 'bad', word: 'Plan failed' },
  rejected: { icon: 'stop', mood: 'neutral', word: 'Rejected' },
  expired: { icon: 'stop', mood: 'neutral', word: 'Expired: nobody reviewed the plan' },
  'apply-failed': { icon: 'cross', mood: 'bad', word: 'Apply failed' },
  'apply-outcome-unknown': { icon: 'question', mood: 'bad', word: 'Apply interrupted: outcome unknown' },
  cancelled: { icon: 'stop', mood: 'neutral', word: 'Cancelled' },
  skipped: { icon: 'skip', mood: 'neutral', word: 'Skipped' },
  refused: { icon: 'cross', mood: 'bad', word: 'Refused' },
  'host-lost': { icon: 'alert', mood: 'bad', word: 'Host lost' },
};

export const LANE_LOOK: Readonly<Record<LaneState, Look>> = {
  'outcome-unknown': { icon: 'question', mood: 'bad', word: 'Outcome unknown' },
  failed: { icon: 'cross', mood: 'bad', word: 'Failed' },
  unreadable: { icon: 'alert', mood: 'bad', word: 'Record unreadable' },
  stuck: { icon: 'alert', mood: 'bad', word: 'Stuck' },
  review: { icon: 'eye', mood: 'waiting', word: 'To review' },
  locked: { icon: 'lock', mood: 'waiting', word: 'Locked' },
  undeployed: { icon: 'cross', mood: 'bad', word: 'Not deployed' },
  applying: { icon: 'play', mood: 'working', word: 'Applying' },
  planning: { icon: 'work', mood: 'working', word: 'Planning' },
  waiting: { icon: 'clock', mood: 'waiting', word: 'Waiting' },
  idle: { icon: 'idle', mood: 'neutral', word: 'Idle' },
};

/** A root of a rollout. */
export const STAND_LOOK: Readonly<Record<Stand, Look>> = {
  review: { icon: 'eye', mood: 'waiting', word: 'To review' },
  failed: { icon: 'cross', mood: 'bad', word: 'Failed' },
  working: { icon: 'work', mood: 'working', word: 'At work' },
  waiting: { icon: 'clock', mood: 'waiting', word: 'Waiting' },
  left: { icon: 'stop', mood: 'neutral', word: 'Not applied' },
  done: { icon: 'check', mood: 'good', word: 'Done' },
};

export const HOST_LOOK: Readonly<Record<HostSummary['state'], Look>> = {
  ready: { icon: 'check', mood: 'good', word: 'Ready' },
  full: { icon: 'work', mood: 'working', word: 'All slots taken' },
  draining: { icon: 'clock', mood: 'waiting', word: 'Draining: takes no more work' },
  away: { icon: 'alert', mood: 'bad', word: 'Away: silent for over a minute' },
};

const ALL: ReadonlyMap<string, Look> = new Map(
  [STATUS_LOOK, HOST_LOOK, STAND_LOOK, LANE_LOOK].flatMap((looks) => Object.entries<Look>(looks)),
);

/** Of any state, for whoever is told no more than its name. Undefined for one that this release does not know. */
export function findLook(state: string): Look | undefined {
  return ALL.get(state);
}
