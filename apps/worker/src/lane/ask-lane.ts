/**
 * Asks a lane: sends a signal, then queries until the lane has decided. A lane that does not decide within the time limit of a
 * message is an error, for another attempt: the same request gets the same answer.
 */
import { defined } from '@nereid/domain/defined';
import type { Cancel, Deployment, Notice, Unlock } from '@nereid/domain/deployment';
import {
  laneWorkflowId,
  type CancelAnswer,
  type LaneAnswer,
  type LaneKnows,
  type Pending,
  type UnlockAnswer,
} from '@nereid/domain/lane';
import { fullName, type Repository } from '@nereid/domain/root';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { WorkflowNotFoundError, type WorkflowHandle } from '@temporalio/client';
import { setTimeout } from 'node:timers/promises';
import type { WorkerContext } from '../platform/context.ts';
import { keepFromApply } from './turn/keep-from-apply.ts';
import { sendNotice } from './send-notice.ts';
import { signalLane } from './signal-lane.ts';
import { MESSAGE_MS } from './start-lane.ts';
import { allowUnlock } from './turn/allow-unlock.ts';
import { openOrder } from './verify-orders.ts';

/** Its signal is aborted when nobody waits for the answer any more. */
export interface Asking {
  readonly context: Pick<WorkerContext, 'signatures' | 'temporal' | 'laneTurns' | 'begunApplies' | 'deploymentRecords'>;
  readonly signal: AbortSignal;
}

/** Asks the lane to lift its lock, for a person who may, and returns whether it did. */
export async function unlockLane(
  asking: Asking,
  repository: Repository,
  rootName: string,
  asked: Omit<Unlock, 'repository' | 'rootName'>,
): Promise<UnlockAnswer> {
  const { by, byId, askedAt: at } = asked;
  await allowUnlock(asking.context, repository, rootName, { by, ...defined({ byId }), at });
  const { owner, name } = repository;
  const about = { repository: { owner, name }, rootName };
  const body = await asking.context.signatures.enclose('decision/unlock', { ...asked, ...about });
  await signalLane(asking.context, repository, rootName, { name: MESSAGE.unlock, body });
  return (await answerOf(asking, repository, rootName, asked)) as UnlockAnswer; // The only kind for this message.
}

export type Cancelled =
  /** Nothing of it is applied, and nothing will be, whatever becomes of what the lane was told. */
  | { readonly kind: 'never-applied' }
  /** Its apply had begun: Terraform is asked to stop. */
  | { readonly kind: 'stopping' }
  | Extract<CancelAnswer, { readonly kind: 'refused' }>;

/**
 * Ends a deployment for a person who may. The lane is asked to, and may not hear of it, or may not be the one that answers. So
 * storage knows first, and gives the answer. Throws a `ForgedError` for a deployment that nobody ordered.
 */
export async function cancelInLane(
  asking: Asking,
  repository: Repository,
  deployment: Deployment,
  asked: Omit<Cancel, 'deploymentId'>,
): Promise<Cancelled> {
  const { context } = asking;
  const { id, root } = deployment;
  const ended = await context.deploymentRecords.find(repository, root.name, id);
  if (ended === undefined) await openOrder(context, { repository, deployment });
  const kept = await keepFromApply(context, deployment, 'cancelled');
  const body = await context.signatures.enclose('decision/cancel', { ...asked, deploymentId: id });
  await signalLane(context, repository, root.name, { name: MESSAGE.cancel, body });
  const answer = (await answerOf(asking, repository, root.name, asked)) as CancelAnswer; // The only kind for this message.
  const isEndedOtherwise = answer.kind === 'refused' && (ended !== undefined || kept === 'begun');
  if (isEndedOtherwise) return answer;
  return { kind: kept === 'begun' ? 'stopping' : 'never-applied' };
}

/** False when the lane does not run, or does not know the deployment: nobody would see the notice. */
export async function notifyLane(
  asking: Asking,
  repository: Repository,
  rootName: string,
  notice: Pick<Notice, 'deploymentId' | 'sentence'>,
): Promise<boolean> {
  const knows = (lane: WorkflowHandle) => lane.query<LaneKnows, [string]>(MESSAGE.knows, notice.deploymentId);
  try {
    const known = await askUntilDecided(asking, repository, rootName, knows);
    if (known.kind === 'unknown') return false;
    await sendNotice(asking.context, laneWorkflowId(repository, rootName), notice);
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

function answerOf(asking: Asking, repository: Repository, rootName: string, { requestId }: Pick<Unlock, 'requestId'>) {
  return askUntilDecided(asking, repository, rootName, (lane) =>
    lane.query<LaneAnswer, [string]>(MESSAGE.answer, requestId),
  );
}

/** As long as the task in which a lane takes a message: queries during that task wait in a short line of the server's. */
const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;

async function askUntilDecided<Decided extends { readonly kind: string }>(
  { context: { temporal }, signal }: Asking,
  repository: Repository,
  rootName: string,
  ask: (lane: WorkflowHandle) => Promise<Decided | Pending>,
): Promise<Decided> {
  const lane = temporal.workflow.getHandle(laneWorkflowId(repository, rootName));
  const deadline = Date.now() + MESSAGE_MS;
  let pauseMs = SHORTEST_PAUSE_MS;
  let pending: unknown;
  while (Date.now() + pauseMs < deadline) {
    await setTimeout(pauseMs, undefined, { signal });
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    try {
      const answer = await temporal.withAbortSignal(signal, () => temporal.withDeadline(deadline, () => ask(lane)));
      if (!isPending(answer)) return answer;
      pending = answer.reason;
    } catch (error) {
      // A lane that is not there will not answer; any other query may.
      if (signal.aborted || error instanceof WorkflowNotFoundError) throw error;
      pending = error;
    }
  }
  throw new LaneUndecidedError(fullName(repository), rootName, pending);
}

function isPending(answer: { readonly kind: string }): answer is Pending {
  return answer.kind === 'pending';
}

export class LaneUndecidedError extends Error {
  override readonly name = 'LaneUndecidedError';
  readonly code = 'LANE_UNDECIDED';

  /** `pending` is the lane's reason, or the error of the last query. */
  constructor(repository: string, rootName: string, pending: unknown) {
    const found = pending instanceof Error ? `it does not answer: ${pending.message}` : String(pending);
    super(
      `expected the lane of ${rootName} in ${repository} to decide within ${MESSAGE_MS / 1_000} seconds, found: ${found}`,
      { cause: pending },
    );
  }
}
