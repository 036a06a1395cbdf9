/**
 * Asks the checks of one rollout that are due, and signs what came of them. Of several workers that ask at once, the first one's
 * results count.
 */
import { isCheckDue, stateOfChecks, type WaveChecks } from '@nereid/domain/gates';
import type { Rollout } from '@nereid/domain/rollout';
import type { Repository } from '@nereid/domain/root';
import type { WorkerContext } from '../../../platform/context.ts';
import { findWaveLeft, skippedWaves, type WaveContext, type WaveLeft } from '../find-wave.ts';
import { wakeWaves } from '../notify-waves.ts';
import { haltEvent, resumedEvent } from './halt-events.ts';
import { askCheck, type AskContext, type CheckedWave } from './ask-check.ts';

export type CheckContext = Omit<WaveContext, 'server'> & AskContext & Pick<WorkerContext, 'publish'>;

/** As others that wake lanes. */
const WAKE_MS = 10_000;

/** `over`: nothing is left to ask, and those who wait for that know it. */
export async function checkRollout(
  context: CheckContext,
  repository: Repository,
  rollout: Rollout,
  signal: AbortSignal,
): Promise<'over' | 'goes on'> {
  const { owner, name } = repository;
  const { id, waves = [] } = rollout;
  const asked = { rollout, end: waves.length - 1 };
  let left = await findWaveLeft(context, repository, asked, signal);
  if (isChecked(left)) {
    const about = { repository: { owner, name }, rollout: id, wave: left.number };
    if (!(await askDue(context, { about, rollout, wave: left, repository }, signal))) return 'goes on';
    left = await findWaveLeft(context, repository, asked, signal);
  }
  if (left?.standing.kind === 'checked') return 'goes on';
  // By now, another round or worker may know better.
  signal.throwIfAborted();
  // Another worker publishes the same event, if this one was killed meanwhile.
  const halt = left && haltEvent(repository, rollout, left);
  if (halt !== undefined) await context.publish(halt);
  await wakeNext(context, repository, { rollout, left }, signal);
  return 'over';
}

function isChecked(left: WaveLeft | undefined): left is CheckedWave {
  return left?.standing.kind === 'checked';
}

interface DueChecks {
  readonly repository: Repository;
  readonly rollout: Rollout;
  readonly about: Pick<WaveChecks, 'repository' | 'rollout' | 'wave'>;
  readonly wave: CheckedWave;
}

/** Returns whether there is news: answers of what was due, or an end by the checks that the file has left. */
async function askDue(
  context: CheckContext,
  { repository, rollout, about, wave }: DueChecks,
  signal: AbortSignal,
): Promise<boolean> {
  const { checks, standing: soak } = wave;
  const now = Date.now();
  const due = checks.filter((check) => isCheckDue(check, soak, now));
  const asked = due.map((check) => askCheck(context, { repository, rollout: rollout.id, wave, check }, signal));
  const answered = (await Promise.all(asked)).filter((result) => result !== undefined);
  if (answered.length === 0 && stateOfChecks(checks, soak).state === 'checking') return false;
  // Checks that the file no longer has are forgotten.
  const others = soak.results.filter(
    ({ check }) => checks.some(({ name }) => name === check) && answered.every((one) => one.check !== check),
  );
  const results = [...others, ...answered];
  const signed = await context.signatures.enclose('decision/wave-checks', {
    ...{ version: 1, ...about },
    ...{ since: new Date(soak.since).toISOString(), at: new Date().toISOString() },
    ...stateOfChecks(checks, { until: soak.until, results }),
    results,
  });
  // Once it is written, nobody knows of the halt any more.
  const { resumed } = soak;
  if (resumed !== undefined)
    await context.publish(resumedEvent(repository, rollout, { number: wave.number, ...resumed }));
  await context.waveCheckRecords.write(signed, soak.version);
  return true;
}

interface Checked {
  readonly rollout: Rollout;
  readonly left: WaveLeft | undefined;
}

/** The lanes of the next wave ask for their permission again, or show why they do not get it. Those that do not hear look by themselves. */
async function wakeNext(
  context: CheckContext,
  repository: Repository,
  { rollout, left }: Checked,
  signal: AbortSignal,
): Promise<void> {
  const { waves = [] } = rollout;
  const isHalted = left?.standing.kind === 'check-failed';
  const number = isHalted ? left.number : await firstFreed(context, repository, rollout, left?.number ?? waves.length);
  const bounds = AbortSignal.any([signal, AbortSignal.timeout(WAKE_MS)]);
  await wakeWaves(context, repository, { rollout, number }, bounds);
}

/** A skipped wave before it waited for the same one. Counts from 0; `number` from 1. */
async function firstFreed(
  context: CheckContext,
  repository: Repository,
  { id, waves = [] }: Rollout,
  number: number,
): Promise<number> {
  const skipped = await skippedWaves(context, repository, id);
  return waves.findLastIndex((_wave, index) => index < number - 1 && !skipped.has(index + 1)) + 1;
}
