/**
 * Asks the checks of waves while a control worker runs. Storage has the list of the rollouts whose checks are asked, and what came of
 * them, as control signs it: Temporal is only rung. Of several workers that ask at once, the first one's results count.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { policyFor, type WaveCheck } from '@nereid/config';
import { describeWave, isCheckDue, stateOfChecks, type CheckResult, type WaveChecks } from '@nereid/domain/gates';
import type { Rollout } from '@nereid/domain/rollout';
import { fullName, type Repository } from '@nereid/domain/root';
import pMap from 'p-map';
import type { WorkerContext } from '../../../platform/context.ts';
import { described, findWaveLeft, skippedWaves, type WaveContext, type WaveLeft } from '../find-wave.ts';
import { wakeWaves } from '../notify-waves.ts';
import { runCheck } from './run-check.ts';

export type CheckContext = Omit<WaveContext, 'server'> &
  Pick<WorkerContext, 'server' | 'temporal' | 'publish' | 'logger'>;

/** The shortest `every` of a check is twice as long. */
const EVERY_MS = 5_000;

/** A check takes 30 seconds at most, a rollout has ten checks at most, and storage has others to answer meanwhile. */
const ROLLOUTS_AT_ONCE = 4;

/** Servers that do not answer hold up a round, and another one begins beside it. */
const ROUNDS_AT_ONCE = 10;

/** A request that hangs must not hold up the stop of a worker. */
const STOP_MS = 2_000;

/** As others that wake lanes. */
const WAKE_MS = 10_000;

/** Checks until the returned function stops it. */
export function keepChecking(context: CheckContext, everyMs = EVERY_MS): () => Promise<void> {
  const asked = new Set<string>();
  const rounds = new Set<Promise<void>>();
  const timer = setInterval(() => {
    if (rounds.size >= ROUNDS_AT_ONCE) return;
    const round = checkAll(context, asked).finally(() => rounds.delete(round));
    rounds.add(round);
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await Promise.race([Promise.all(rounds), sleep(STOP_MS, undefined, { ref: false })]);
  };
}

/** One round, which never throws: what fails now has its turn in the next one. `asked`: the rollouts that other rounds ask. */
export async function checkAll(context: CheckContext, asked = new Set<string>()): Promise<void> {
  const { server, waveCheckRecords, logger } = context;
  if (server.current().waves.every(({ checks }) => checks.length === 0)) return;
  try {
    const keys = await waveCheckRecords.list();
    await pMap(keys, (key) => checkAlone(context, key, asked), { concurrency: ROLLOUTS_AT_ONCE });
  } catch (error) {
    logger.warn({ err: error }, 'the checks of waves cannot be read from storage, and wait');
  }
}

async function checkAlone(context: CheckContext, key: string, asked: Set<string>): Promise<void> {
  if (asked.has(key)) return;
  asked.add(key);
  await checkListed(context, key).finally(() => asked.delete(key));
}

async function checkListed(context: CheckContext, key: string): Promise<void> {
  try {
    const listed = await context.waveCheckRecords.find(key);
    if (listed === undefined) return;
    const { repository, rollout: id } = listed;
    const isAllowed = policyFor(context.server.current(), fullName(repository)) !== undefined;
    const rollout = isAllowed ? await context.rolloutRecords.read(repository, id) : undefined;
    if (rollout === undefined || (await checkRollout(context, repository, rollout)) === 'over')
      await context.waveCheckRecords.remove(key);
  } catch (error) {
    context.logger.warn({ err: error, key }, 'the checks of a wave cannot be asked now, and wait');
  }
}

/** Asks what is due. `over`: nothing is left to ask, and those who wait for that know it. */
async function checkRollout(
  context: CheckContext,
  repository: Repository,
  rollout: Rollout,
): Promise<'over' | 'goes on'> {
  const { owner, name } = repository;
  const { id, waves = [] } = rollout;
  const asked = { rollout, end: waves.length - 1 };
  let left = await findWaveLeft(context, repository, asked);
  if (left?.standing.kind === 'checked') {
    const about = { repository: { owner, name }, rollout: id, wave: left.number };
    if (!(await askDue(context, about, left.checks, left.standing))) return 'goes on';
    left = await findWaveLeft(context, repository, asked);
  }
  if (left?.standing.kind === 'checked') return 'goes on';
  await publishHalt(context, repository, rollout, left);
  await ring(context, repository, rollout, left);
  return 'over';
}

type Soak = Extract<WaveLeft['standing'], { readonly kind: 'checked' }>;

/** Returns whether anything was due. */
async function askDue(
  context: CheckContext,
  about: Pick<WaveChecks, 'repository' | 'rollout' | 'wave'>,
  checks: readonly WaveCheck[],
  soak: Soak,
): Promise<boolean> {
  const now = Date.now();
  const due = checks.filter((check) => isCheckDue(check, soak, now));
  if (due.length === 0) return false;
  const asked = await Promise.all(due.map((check) => ask(context, check, soak.results)));
  // Checks that the file no longer has are forgotten.
  const others = soak.results.filter(({ check }) => checks.some((one) => one.name === check && !due.includes(one)));
  const results = [...others, ...asked];
  const signed = await context.signatures.enclose('decision/wave-checks', {
    ...{ version: 1, ...about },
    ...{ since: new Date(soak.since).toISOString(), at: new Date().toISOString() },
    ...stateOfChecks(checks, { until: soak.until, results }),
    results,
  });
  await context.waveCheckRecords.write(signed, soak.version);
  return true;
}

async function ask(
  { logger }: Pick<CheckContext, 'logger'>,
  check: WaveCheck,
  results: readonly CheckResult[],
): Promise<CheckResult> {
  const { name } = check;
  // Before the answer: one that came before the end of a soak is none from after it.
  const at = new Date().toISOString();
  const { passes, sentence: answer } = await runCheck(check, (err) => {
    logger.warn({ err, check: name }, 'a check of a wave has no answer');
  });
  const before = results.find((one) => one.check === name)?.failures ?? 0;
  return { check: name, at, failures: passes ? 0 : before + 1, answer };
}

/** Another worker publishes the same event, if this one was killed meanwhile. */
async function publishHalt(
  { publish }: CheckContext,
  { owner, name }: Repository,
  { id, revision }: Rollout,
  left: WaveLeft | undefined,
): Promise<void> {
  if (left?.standing.kind !== 'check-failed') return;
  const { at } = left.standing.found;
  await publish({
    ...{ kind: 'halted', id: `${owner}/${name}/${id}:halted:${left.number}:${at}` },
    ...{ repository: { owner, name }, revision, at, sentence: describeWave(described(left)) },
  });
}

/** The lanes of the next wave ask for their permission again, or show why they do not get it. Those that do not hear look by themselves. */
async function ring(
  context: CheckContext,
  repository: Repository,
  rollout: Rollout,
  left: WaveLeft | undefined,
): Promise<void> {
  const { waves = [] } = rollout;
  const isHalted = left?.standing.kind === 'check-failed';
  const number = isHalted ? left.number : await firstFreed(context, repository, rollout, left?.number ?? waves.length);
  await wakeWaves(context, repository, { rollout, number }, AbortSignal.timeout(WAKE_MS));
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
