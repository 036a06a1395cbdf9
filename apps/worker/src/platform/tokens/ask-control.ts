/** A host without the App's key asks control for its tokens, and keeps each until shortly before its end. */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  defined,
  fullName,
  orderOfJob,
  readTokenFacts,
  readTokenWorkflowId,
  type ReadTokenRequest,
  type SealedReadToken,
} from '@nereid/contracts';
import type { GitToken } from '@nereid/forge';
import type { Opener } from '@nereid/signature';
import type { Client } from '@temporalio/client';
import type { Signatures } from '../keys/signatures.ts';
import { askWorkflow } from './ask-workflow.ts';
import type { ReadingJob, ReadTokens } from './read-tokens.ts';

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

/** A clone of a large repository may take this long, and uses its token for several requests. */
const REMAINING_LIFE_MS = 5 * 60_000;

/** More than a host runs deployments within the life of a token. */
const DEPLOYMENTS_LIMIT = 1_000;

export function tokensFromControl(options: ControlOptions): ReadTokens {
  const known = new LRUCache<string, GitToken>({ max: DEPLOYMENTS_LIMIT });
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

async function ask(
  { temporal, patienceMs }: ControlOptions,
  job: ReadingJob,
  signal: AbortSignal | undefined,
): Promise<SealedReadToken> {
  const answer = await askWorkflow({
    ...{ temporal, signal, patienceMs },
    workflowId: readTokenWorkflowId(job.deploymentId, randomUUID()),
    question: { kind: 'sealReadToken', about: readTokenRequest(job) },
    unanswered: (found, options) => new NoReadTokenError(fullName(job.repository), found, options),
  });
  return answer as SealedReadToken; // The contract of that workflow.
}

/** With the order that the host carries out. */
export function readTokenRequest({ unlocking, ...job }: ReadingJob): ReadTokenRequest {
  const { repository } = job;
  const signature = unlocking ? unlocking.signature : job.order.signature;
  return {
    version: 1,
    repository,
    ordered: unlocking?.ordered ?? orderOfJob(job),
    ...(unlocking && { unlocking: unlocking.unlocking }),
    ...defined({ order: signature }),
  };
}

/** What came may be of anybody: it counts when control signed it, and when it was sealed for exactly this. */
async function open(
  { signatures, opener }: ControlOptions,
  { deploymentId, repository }: ReadingJob,
  { sealed, signature }: SealedReadToken,
): Promise<GitToken> {
  await signatures.verify('token', readTokenFacts(repository, deploymentId, sealed), signature);
  const { secret, expiresAt } = await opener.open({ subject: deploymentId, repository: fullName(repository) }, sealed);
  return { value: secret, expiresAt };
}
