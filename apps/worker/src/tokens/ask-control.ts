/** A host without the App's key asks control for its tokens, and keeps each until shortly before its end. */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  CONTROL_QUEUE,
  fullName,
  orderOfJob,
  readTokenFacts,
  readTokenWorkflowId,
  WORKFLOW,
  type ReadTokenRequest,
  type SealedReadToken,
} from '@nereid/contracts';
import type { Opener } from '@nereid/signature';
import type { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { Signatures } from '../signatures.ts';
import type { ReadingJob, ReadToken, ReadTokens } from './read-tokens.ts';

export interface ControlOptions {
  readonly temporal: Pick<Client, 'workflow'>;
  readonly signatures: Pick<Signatures, 'verify'>;
  readonly opener: Opener;
  /** How long control may take to answer. Default: a minute. */
  readonly patienceMs?: number;
}

/** Nobody can read the repository for this host now. Another attempt may succeed. */
export class NoReadTokenError extends Error {
  override readonly name = 'NoReadTokenError';
  readonly code = 'NO_READ_TOKEN';

  constructor(repository: string, found: string, options?: ErrorOptions) {
    super(
      `expected a token to read ${repository} from the control workers, found: ${found}; check that one of them runs and reaches GitHub, or give this host the key of the App`,
      options,
    );
  }
}

/** Longer than control tries: a host that is told why gets a better answer than one that gives up. */
const PATIENCE_MS = 60_000;

/** A clone of a large repository may take this long, and uses its token for several requests. */
const REMAINING_LIFE_MS = 5 * 60_000;

/** More than a host runs deployments within the life of a token. */
const DEPLOYMENTS_LIMIT = 1_000;

export function tokensFromControl(options: ControlOptions): ReadTokens {
  const known = new LRUCache<string, ReadToken>({ max: DEPLOYMENTS_LIMIT });
  return {
    async tokenFor(job, signal) {
      const kept = known.get(job.deploymentId);
      if (kept && kept.expiresAt - Date.now() > REMAINING_LIFE_MS) return kept.value;
      const token = await open(options, job, await ask(options, job, signal));
      known.set(job.deploymentId, token);
      return token.value;
    },
  };
}

/** The workflow ends by itself when nobody waits for it any more. */
async function ask(
  { temporal, patienceMs = PATIENCE_MS }: ControlOptions,
  job: ReadingJob,
  signal: AbortSignal | undefined,
): Promise<SealedReadToken> {
  const { deploymentId, repository } = job;
  const request = requestOf(job);
  const limit = AbortSignal.timeout(patienceMs);
  try {
    const answer = temporal.workflow.execute(WORKFLOW.readToken, {
      workflowId: readTokenWorkflowId(deploymentId, randomUUID()),
      taskQueue: CONTROL_QUEUE,
      workflowExecutionTimeout: patienceMs,
      args: [request],
    }) as Promise<SealedReadToken>; // The contract of that workflow.
    return await Promise.race([answer, whenAborted(signal ? AbortSignal.any([signal, limit]) : limit)]);
  } catch (error) {
    signal?.throwIfAborted();
    const why = failureIn(error);
    if (why?.nonRetryable === true) throw why;
    const found = limit.aborted ? `no answer within ${patienceMs / 1_000} s` : (why?.message ?? 'no answer in time');
    throw new NoReadTokenError(fullName(repository), found, { cause: error });
  }
}

function requestOf({ unlocking, ...job }: ReadingJob): ReadTokenRequest {
  const { repository } = job;
  const signature = unlocking ? unlocking.signature : job.order.signature;
  return {
    version: 1,
    repository,
    ordered: unlocking?.ordered ?? orderOfJob(job),
    ...(unlocking && { unlocking: unlocking.unlocking }),
    ...(signature !== undefined && { order: signature }),
  };
}

/** Only rejects. The client of Temporal does not notice a signal that was aborted between its requests. */
function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () => {
      reject(signal.reason as Error); // Of `abort()`, which takes anything.
    };
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

/** What came may be of anybody: it counts when control signed it, and when it was sealed for exactly this. */
async function open(
  { signatures, opener }: ControlOptions,
  { deploymentId, repository }: ReadingJob,
  { sealed, signature }: SealedReadToken,
): Promise<ReadToken> {
  await signatures.verify('token', readTokenFacts(repository, deploymentId, sealed), signature);
  const { secret, expiresAt } = await opener.open({ subject: deploymentId, repository: fullName(repository) }, sealed);
  return { value: secret, expiresAt };
}

/** The failure of control's activity, which other failures wrap. */
function failureIn(error: unknown): ApplicationFailure | undefined {
  if (error instanceof ApplicationFailure) return error;
  return error instanceof Error ? failureIn(error.cause) : undefined;
}
