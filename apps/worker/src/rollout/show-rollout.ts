/**
 * Writes the check run `nereid/rollout` of a revision. Storage says which roots it has and how they ended; Temporal says how far the
 * others are, in one of our own words. So it names nobody, and shows no end that there was not.
 */
import { createHash } from 'node:crypto';
import { policyFor } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import type { CheckRunRef } from '@nereid/domain/deployment';
import {
  hasRootEnded,
  isAtWork,
  pauseAfterWrites,
  pauseUntilLook,
  rolloutWithWaves,
  rolloutWorkflowId,
  rootStatesOf,
  type RootState,
  type StoredRollout,
} from '@nereid/domain/rollout';
import { fullName, type Repository } from '@nereid/domain/root';
import { ForgeUnavailableError, isRefused, type CheckRunContent } from '@nereid/forge';
import { deploymentUrl, renderRollout, rolloutUrl, type RolloutSubject } from '@nereid/texts';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import pMap from 'p-map';
import { linkSecret } from '../lane/show/link-secret.ts';
import { ownRefs } from '../lane/show/own-refs.ts';
import type { WorkerContext } from '../platform/context.ts';
import { findWaveBefore } from './waves/find-wave.ts';
import { findStatuses } from './find-statuses.ts';

/** An attempt leaves this to the next one. Only the numbers of check runs could do harm, so they are compared with the forge's. */
export interface ShownRollout {
  readonly checkRuns: readonly CheckRunRef[];
  readonly writes: number;
  /** Of the content that is shown. */
  readonly digest: string;
  /** In milliseconds since 1970. */
  readonly wroteAt: number;
  /** Of the content that was found last, and since when. */
  readonly found: string;
  readonly foundAt: number;
}

export interface RolloutAttempt {
  readonly signal: AbortSignal;
  readonly shown?: ShownRollout;
  readonly onShown: (shown: ShownRollout) => void;
}

const NOTHING: ShownRollout = { checkRuns: [], writes: 0, digest: '', wroteAt: 0, found: '', foundAt: 0 };

/** A review expires after days; what still waits after this, nobody waits for. */
const LEFT_AFTER_MS = 30 * 86_400_000;

/** Shares of an attempt of a minute: a write takes twelve seconds at most. */
const BEGUN_WITHIN_MS = 30_000;
const GIVEN_UP_AFTER_MS = 45_000;

/** Records are small. */
const AT_ONCE = 20;

/** Throws a failure that has Temporal try again, until all roots have ended and people see it. Returns a sentence about the end. */
export async function showRollout(
  context: WorkerContext,
  repository: Repository,
  sha: string,
  { shown = NOTHING, ...attempt }: RolloutAttempt,
): Promise<string> {
  if (!isNamed(repository, sha)) return 'this is no revision';
  if (!policyFor(context.server.current(), fullName(repository))) return `${fullName(repository)} is not allowed`;
  const stored = await readStored(context, repository, sha);
  if (stored.length === 0) return 'storage has no rollout of this revision';
  const roots = rootStatesOf(stored, await findStatuses(context, repository, sha));
  const now = Date.now();
  const isLeft = now - orderedLast(stored) > LEFT_AFTER_MS;
  const isOver = isLeft || roots.every(hasRootEnded);
  const waves = await findWaves(context, repository, stored, attempt.signal);
  const content = await contentOf(context, repository, sha, { roots, stored, waves, isLeft });
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const { title } = content;
  const seen = shown.found === digest ? shown : { ...shown, found: digest, foundAt: now };
  const isShown = shown.digest === digest;
  const dueMs = isShown ? 0 : shown.wroteAt + pauseAfterWrites(shown.writes) - now;
  if (isOver && isShown) return title;
  if (isShown || (dueMs > 0 && !isOver)) {
    attempt.onShown(seen);
    throw retryIn(title, nextLook(roots, now - seen.foundAt, dueMs));
  }
  const checkRuns = await write(context, repository, { content, shown, ...attempt });
  if (checkRuns === 'refused') return `the forge refuses it: ${title}`;
  const written = { ...seen, checkRuns, digest, writes: shown.writes + 1, wroteAt: now };
  attempt.onShown(written);
  if (isOver) return title;
  throw retryIn(title, nextLook(roots, now - written.foundAt, 0));
}

/** Both come through Temporal, and go into keys and queries. */
function isNamed(repository: unknown, sha: unknown): boolean {
  const { owner, name } = Object(repository) as Partial<Record<keyof Repository, unknown>>;
  return isMatch(owner, NAME) && isMatch(name, NAME) && isMatch(sha, SHA);
}

function isMatch(text: unknown, pattern: RegExp): boolean {
  return typeof text === 'string' && pattern.test(text);
}

const NAME = /^[\w.-]{1,100}$/;
const SHA = /^[0-9a-f]{40}$/;

async function readStored(
  { rolloutRecords }: WorkerContext,
  repository: Repository,
  sha: string,
): Promise<readonly StoredRollout[]> {
  const rollouts = await rolloutRecords.ofRevision(repository, sha);
  return pMap(rollouts, async (rollout) => ({ rollout, ends: await rolloutRecords.ends(repository, rollout.id) }), {
    concurrency: AT_ONCE,
  });
}

function orderedLast(stored: readonly StoredRollout[]): number {
  return Math.max(...stored.map(({ rollout }) => Date.parse(rollout.orderedAt)));
}

/** Those of the merge, and the first that is not over, if another one comes after it. */
async function findWaves(
  context: WorkerContext,
  repository: Repository,
  stored: readonly StoredRollout[],
  signal: AbortSignal,
): Promise<Found['waves']> {
  const rollout = rolloutWithWaves(stored.map((one) => one.rollout));
  if (rollout?.waves === undefined) return {};
  const before = await findWaveBefore(context, repository, { rollout, end: rollout.waves.length - 1 }, signal);
  return { waves: rollout.waves, ...defined({ before }) };
}

interface Found {
  readonly waves: Pick<RolloutSubject, 'waves' | 'before'>;
  readonly roots: readonly RootState[];
  readonly stored: readonly StoredRollout[];
  readonly isLeft: boolean;
}

async function contentOf(
  context: WorkerContext,
  repository: Repository,
  sha: string,
  { roots, stored, waves, isLeft }: Found,
): Promise<CheckRunContent> {
  const { consoleUrl } = context.config.links;
  const secret = await linkSecret(context, repository);
  const { owner, name } = repository;
  // The links stay the same while the rollout goes on.
  const key = secret && { secret: secret.reveal(), from: new Date(orderedLast(stored)).toISOString() };
  return renderRollout({
    headSha: sha,
    externalId: rolloutWorkflowId(repository, sha),
    pageUrl: rolloutUrl(consoleUrl, { owner, name, sha }),
    roots,
    ...waves,
    urlOf: ({ rootName, deploymentId }) => deploymentUrl(consoleUrl, key, deploymentId, { owner, name, rootName }),
    isLeft,
  });
}

interface Writing extends Pick<RolloutAttempt, 'signal'> {
  readonly content: CheckRunContent;
  readonly shown: ShownRollout;
}

/** A check run that is not known is looked for: an attempt whose answer was lost may have created it, or an earlier workflow. */
async function write(
  context: WorkerContext,
  repository: Repository,
  { content, shown, signal }: Writing,
): Promise<readonly CheckRunRef[] | 'refused'> {
  const of = { id: content.externalId, checkRuns: shown.checkRuns };
  const options = {
    signal: AbortSignal.any([signal, AbortSignal.timeout(GIVEN_UP_AFTER_MS)]),
    begin: AbortSignal.any([signal, AbortSignal.timeout(BEGUN_WITHIN_MS)]),
  };
  try {
    return await context.checkRunWrites.inTurn(of, shown.checkRuns.length === 0, async (known, uncertain) => {
      const refs = known.areOurs ? known.refs : await ownRefs(context, repository, known.refs, content);
      return context.forge.status.present(repository, refs, content, { ...options, creationUncertain: uncertain });
    });
  } catch (error) {
    if (isRefused(error)) {
      context.logger.error(
        { err: error, repository: fullName(repository) },
        'the forge refuses the check run of a rollout',
      );
      return 'refused';
    }
    if (error instanceof ForgeUnavailableError && error.retryAfterMs !== undefined)
      throw retryIn(error.message, error.retryAfterMs);
    throw error;
  }
}

function nextLook(roots: readonly RootState[], quietMs: number, dueMs: number): number {
  const pause = pauseUntilLook({ quietMs, isAtWork: isAtWork(roots) });
  return dueMs > 0 ? Math.min(pause, dueMs) : pause;
}

/** It is no failure that anybody has to look at. */
function retryIn(message: string, nextRetryDelay: number): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    type: 'GOES_ON',
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: Math.ceil(nextRetryDelay),
  });
}
