/**
 * Asks the checks of waves while a control worker runs. Storage has the list of the rollouts whose checks are asked, and what came of
 * them, as control signs it: lanes are only woken. A rollout that cannot be read, or whose storage hangs, holds up no other one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { policyFor } from '@nereid/config';
import { fullName } from '@nereid/domain/root';
import pMap from 'p-map';
import { createBoundedWork, StillRunningError } from '../../../platform/bounded-work.ts';
import { createRareWarnings } from '../../../platform/log/rare-warnings.ts';
import { checkRollout, type CheckContext } from './check-rollout.ts';

/** The shortest `every` of a check is twice as long. */
const EVERY_MS = 5_000;

/** A rollout has ten checks at most, and storage has others to answer meanwhile. */
const ROLLOUTS_AT_ONCE = 4;

/** Servers that do not answer hold up a round, and another one begins beside it. */
const ROUNDS_AT_ONCE = 10;

/** For one rollout, or the list: its checks take 30 seconds at most, and to read a wave of thousands of roots takes a minute. */
const LIMIT_MS = 120_000;

/** A request that hangs must not hold up the stop of a worker. */
const STOP_MS = 2_000;

/** Checks until the returned function stops it. */
export function keepChecking(context: CheckContext, everyMs = EVERY_MS, limitMs = LIMIT_MS): () => Promise<void> {
  const checkSome = createCheckRound(context, limitMs);
  const rounds = new Set<Promise<void>>();
  const timer = setInterval(() => {
    if (rounds.size >= ROUNDS_AT_ONCE) return;
    const round = checkSome().finally(() => rounds.delete(round));
    rounds.add(round);
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await Promise.race([Promise.all(rounds), sleep(STOP_MS, undefined, { ref: false })]);
  };
}

/**
 * Returns a round, which never throws: what fails now has its turn in the next one. Each goes on in the list where the last one ended,
 * so that all rollouts have the same share, however many there are. Rounds may go on beside each other, but no rollout is asked twice.
 */
export function createCheckRound(context: CheckContext, limitMs = LIMIT_MS): () => Promise<void> {
  const { server, waveCheckRecords, logger } = context;
  const work = createBoundedWork();
  const warnings = createRareWarnings(logger);
  let after: string | undefined;

  async function attempt<Result>(
    key: string,
    act: (signal: AbortSignal) => Promise<Result>,
    whatFails: string,
  ): Promise<Result | undefined> {
    try {
      const result = await work.run(key, act, { limitMs });
      warnings.forget(key);
      return result;
    } catch (error) {
      const isAskedByAnother = error instanceof StillRunningError && !error.isOverdue;
      if (!isAskedByAnother) warnings.warn(key, { err: error, key }, whatFails);
      return undefined;
    }
  }

  async function nextKeys(): Promise<readonly string[]> {
    const { keys, next } = await waveCheckRecords.list(after);
    after = next;
    return keys;
  }

  return async () => {
    if (server.current().waves.every(({ checks }) => checks.length === 0)) return;
    const keys = await attempt(LIST, nextKeys, 'the checks of waves cannot be read from storage, and wait');
    const checkOne = (key: string) =>
      attempt(key, (signal) => checkListed(context, key, signal), 'the checks of a wave cannot be asked now, and wait');
    await pMap(keys ?? [], checkOne, { concurrency: ROLLOUTS_AT_ONCE });
  };
}

/** The folder of all keys, and none of them. */
const LIST = 'checked-rollouts/';

async function checkListed(context: CheckContext, key: string, signal: AbortSignal): Promise<void> {
  const { server, waveCheckRecords, rolloutRecords } = context;
  const listed = await waveCheckRecords.find(key);
  if (listed === undefined) return;
  const { repository, rollout: id } = listed;
  const isAllowed = policyFor(server.current(), fullName(repository)) !== undefined;
  const rollout = isAllowed ? await rolloutRecords.read(repository, id) : undefined;
  const isOver = rollout === undefined || (await checkRollout(context, repository, rollout, signal)) === 'over';
  // Somebody who waits may have listed it again, once its time was over.
  signal.throwIfAborted();
  if (isOver) await waveCheckRecords.remove(key);
}
