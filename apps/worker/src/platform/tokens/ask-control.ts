/** A host without the App's key asks control for its tokens, and keeps each until shortly before its end. */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SealedReadToken } from '@nereid/domain/deployment';
import { fullName } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { readTokenWorkflowId, type ReadTokenRequest } from '@nereid/domain/tokens';
import type { GitToken } from '@nereid/forge';
import { UnopenableError, type Opener } from '@nereid/signature';
import type { Client } from '@temporalio/client';
import type { Signatures } from '../keys/signatures.ts';
import { askWorkflow } from './ask-workflow.ts';
import type { OpenedJob } from './opened-job.ts';
import type { ReadTokens } from './read-tokens.ts';

export interface ControlOptions {
  readonly temporal: Pick<Client, 'workflow'>;
  readonly signatures: Pick<Signatures, 'open'>;
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
      `expected a token to read ${repository} from the control workers, found: ${found}; check that one of them runs and reaches the forge, or give this host the key of the App`,
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
      if (kept && isGood(kept)) return kept.value;
      const token = (await brought(options, job)) ?? (await open(options, job, await ask(options, job, signal)));
      known.set(job.deploymentId, token);
      return token.value;
    },
  };
}

/**
 * The token that came with the job, which saves a question. Undefined where it does not live for long enough any more, or was sealed to
 * a key that this host lacks. Throws a `ForgedError`, unless control sealed it for exactly this deployment.
 */
async function brought(options: ControlOptions, job: OpenedJob): Promise<GitToken | undefined> {
  if (job.readToken === undefined) return undefined;
  try {
    const token = await open(options, job, job.readToken);
    return isGood(token) ? token : undefined;
  } catch (error) {
    if (error instanceof UnopenableError) return undefined;
    throw error;
  }
}

function isGood({ expiresAt }: GitToken): boolean {
  return expiresAt - Date.now() > REMAINING_LIFE_MS;
}

async function ask(
  { temporal, patienceMs }: ControlOptions,
  job: OpenedJob,
  signal: AbortSignal | undefined,
): Promise<Signed<SealedReadToken>> {
  const answer = await askWorkflow({
    ...{ temporal, signal, patienceMs },
    workflowId: readTokenWorkflowId(job.deploymentId, randomUUID()),
    question: { kind: 'sealReadToken', about: readTokenRequest(job) },
    unanswered: (found, options) => new NoReadTokenError(fullName(job.repository), found, options),
  });
  return answer as Signed<SealedReadToken>; // The contract of that workflow.
}

/** With the order that the host carries out. */
export function readTokenRequest({ order }: OpenedJob): ReadTokenRequest {
  return { version: 1, order: order.signed };
}

/** What came may be of anybody: it counts when control signed it, and when it was sealed for exactly this. */
async function open(
  { signatures, opener }: ControlOptions,
  { deploymentId, repository }: OpenedJob,
  answer: Signed<SealedReadToken>,
): Promise<GitToken> {
  const { body } = await signatures.open('token/read', answer, { repository, deploymentId });
  const purpose = { subject: deploymentId, repository: fullName(repository) };
  const { secret, expiresAt } = await opener.open(purpose, body.sealed);
  return { value: secret, expiresAt };
}
