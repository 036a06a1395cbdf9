/**
 * Asks about the dependencies of waiting deployments. One question is under way at a time, beside work and `show`: it may take
 * days to be answered, and holds up nothing. A new question takes its place.
 */
import type { DependenciesFound } from '../../../rollout/model.ts';
import { AT_ONCE, later, type LaneActor } from './actor.ts';
import type { Effect, EffectOf } from './effects.ts';
import { dependentsIn, updateDependent } from '../requests/dependents.ts';

/** The next question; undefined while there is none, or while the one under way asks the same. */
export function nextQuestion(actor: LaneActor, now: number): Effect | undefined {
  const dependents = wanted(actor);
  if (dependents.length === 0 || actor.looking.dueAt > now) return undefined;
  const { asked, isNudged } = actor.looking;
  if (!isNudged && dependents.every(({ deploymentId }) => asked.includes(deploymentId))) return undefined;
  return { kind: 'look', dependents };
}

/** When the next question is due, in epoch milliseconds; infinite when none is. */
export function questionDueAt(actor: LaneActor): number {
  return wanted(actor).length === 0 ? Infinity : actor.looking.dueAt;
}

function wanted({ reading, isCancelled, state }: LaneActor) {
  return reading === undefined && !isCancelled ? dependentsIn(state) : [];
}

/** Somebody says that an answer may be another one: also that to a deployment which may not start yet. */
export function nudge(actor: LaneActor): LaneActor {
  const { stage, work } = actor;
  const isRung = work === 'admit';
  const rung = stage.kind === 'admit' ? { ...stage, dueAt: AT_ONCE.dueAt, isRung } : stage;
  return { ...actor, stage: rung, looking: { ...actor.looking, isNudged: true } };
}

export function beginLooking(actor: LaneActor, { dependents }: EffectOf<'look'>): LaneActor {
  const asked = dependents.map(({ deploymentId }) => deploymentId);
  return { ...actor, looking: { ...actor.looking, asked, isNudged: false } };
}

export function handleLooked(
  actor: LaneActor,
  { dependents }: EffectOf<'look'>,
  found: readonly DependenciesFound[],
  now: number,
): LaneActor {
  const at = new Date(now).toISOString();
  const state = dependents.reduce((before, { deploymentId }, index) => {
    const answer = found[index];
    return answer === undefined ? before : updateDependent(before, deploymentId, answer, at);
  }, actor.state);
  // An answer without news would be asked for again at once, for ever.
  if (state === actor.state) return failLooking(actor, now);
  return { ...actor, state, looking: { ...actor.looking, ...AT_ONCE, asked: [] } };
}

export function failLooking(actor: LaneActor, now: number): LaneActor {
  const { looking, durations } = actor;
  return { ...actor, looking: { ...looking, ...later(looking, durations, now), asked: [] } };
}
