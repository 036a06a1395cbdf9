/** Opens a lane: how it stands when its workflow begins. */
import type { LaneInput } from '../../../input.ts';
import { unhurried } from '../../check-runs/patience.ts';
import { usableIn } from '../../state/hint.ts';
import { newLane } from '../../state/lane-state.ts';
import { AT_ONCE, type LaneActor } from '../actor.ts';
import { laneDurations } from '../durations.ts';
import { restore } from './reading.ts';

/** Without it, all idle lanes of one merge would end, and write, in the same second. */
const IDLE_JITTER = 0.1;

/**
 * `random` is a number from 0 to 1, `now` in epoch milliseconds. The lane has its record at once if its start has one that serves as
 * a hint.
 */
export function openLane(
  input: LaneInput,
  { runId, random, now }: { readonly runId: string; readonly random: number; readonly now: number },
): LaneActor {
  const lane = withoutRecord(input, runId, random);
  const stored = input.carried === undefined ? usableIn(input.hint, now) : undefined;
  return stored === undefined ? lane : restore({ ...lane, reading: undefined, hinted: [] }, undefined, stored);
}

function withoutRecord(input: LaneInput, runId: string, random: number): LaneActor {
  const durations = { ...laneDurations, ...input.durations };
  return {
    repository: input.repository,
    rootName: input.rootName,
    durations,
    runId,
    state: newLane,
    reading: { ...AT_ONCE, messages: [], carried: input.carried, why: undefined, reasons: 0 },
    hinted: undefined,
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
    doubts: { ...AT_ONCE, ids: [] },
    showing: {
      reported: {},
      patience: unhurried,
      sending: undefined,
      differsSince: undefined,
      positionsDueAt: 0,
      failures: 0,
    },
    looking: { ...AT_ONCE, asked: [], isNudged: false },
    work: undefined,
    passOns: [],
    passingOn: [],
    isCancelled: false,
    idleSince: undefined,
    idleForMs: durations.idleMs * (1 + IDLE_JITTER * (2 * random - 1)),
    runs: 0,
  };
}
