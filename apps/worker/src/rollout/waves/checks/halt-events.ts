/** The events about a rollout that a check of a wave halts. Published again, each has the same id. */
import type { RolloutHalted, RolloutResumed } from '@nereid/domain/events';
import { describeFailedCheck, waveName } from '@nereid/domain/gates';
import type { Rollout } from '@nereid/domain/rollout';
import type { Repository } from '@nereid/domain/root';
import type { Resumed } from '../find-checked.ts';
import { described, type WaveLeft } from '../find-wave.ts';

/** Undefined unless a check halts it. */
export function haltEvent(repository: Repository, rollout: Rollout, left: WaveLeft): RolloutHalted | undefined {
  const wave = described(left);
  if (left.standing.kind !== 'check-failed' || wave.standing.kind !== 'check-failed') return undefined;
  const { at } = left.standing.by;
  const about = aboutOf(repository, rollout);
  const id = `${idOf(about)}:halted:${left.number}:${at}`;
  return { kind: 'halted', id, ...about, at, sentence: describeFailedCheck(wave, wave.standing) };
}

interface Resumption extends Resumed {
  /** Of the wave, from 1. */
  readonly number: number;
}

export function resumedEvent(
  repository: Repository,
  rollout: Rollout,
  { number, haltedAt, why }: Resumption,
): RolloutResumed {
  const { waves = [] } = rollout;
  const about = aboutOf(repository, rollout);
  const id = `${idOf(about)}:resumed:${number}:${haltedAt}`;
  const name = waves[number - 1]?.name ?? '';
  const sentence = `${waveName({ name, number, of: waves.length })}: ${why}`;
  return { kind: 'resumed', id, ...about, at: new Date().toISOString(), sentence };
}

function aboutOf({ owner, name }: Repository, { id: rollout, revision }: Rollout) {
  return { repository: { owner, name }, rollout, revision };
}

function idOf({ repository: { owner, name }, rollout }: ReturnType<typeof aboutOf>): string {
  return `${owner}/${name}/${rollout}`;
}
