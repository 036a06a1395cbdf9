/**
 * Messages to a lane whose sender waits for what comes of them: a signal, and a query until the lane has decided. They throw
 * where it does not within the time of a message, for another attempt: the same request again gets the same answer.
 */
import {
  fullName,
  laneWorkflowId,
  MESSAGE,
  type Cancel,
  type CancelAnswer,
  type LaneAnswer,
  type LaneView,
  type Notice,
  type Repository,
  type Unlock,
  type UnlockAnswer,
} from '@nereid/contracts';
import { deploymentIn } from '@nereid/lane';
import { WorkflowNotFoundError } from '@temporalio/client';
import { setTimeout } from 'node:timers/promises';
import type { WorkerContext } from '../context.ts';
import { signalLane } from './signal-lane.ts';
import { MESSAGE_MS } from './start-lane.ts';

type Asking = Pick<WorkerContext, 'temporal'>;

/** Asks the lane to lift its lock, and answers whether it did. */
export async function unlockLane(
  context: Asking,
  repository: Repository,
  rootName: string,
  body: Unlock,
): Promise<UnlockAnswer> {
  await signalLane(context, repository, rootName, { name: MESSAGE.unlock, body });
  return (await answerTo(context, repository, rootName, body.requestId)) as UnlockAnswer; // The only kind for this message.
}

/** Asks the lane to end a deployment, and answers what comes of it. */
export async function cancelInLane(
  context: Asking,
  repository: Repository,
  rootName: string,
  body: Cancel,
): Promise<CancelAnswer> {
  await signalLane(context, repository, rootName, { name: MESSAGE.cancel, body });
  return (await answerTo(context, repository, rootName, body.requestId)) as CancelAnswer; // The only kind for this message.
}

/** False when the lane does not run, or does not know the deployment: nobody sees the notice. */
export async function notifyLane(
  { temporal }: Asking,
  repository: Repository,
  rootName: string,
  notice: Notice,
): Promise<boolean> {
  const lane = temporal.workflow.getHandle(laneWorkflowId(repository, rootName));
  try {
    await temporal.withDeadline(Date.now() + MESSAGE_MS, () => lane.signal<[Notice]>(MESSAGE.notice, notice));
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
  return askUntil({ temporal }, repository, rootName, async () => {
    const view = await lane.query<LaneView>(MESSAGE.lane);
    if (!view.isRestored) return { kind: 'pending', reason: view.waitsFor ?? 'its record is not there yet' };
    return { kind: 'answered', answer: deploymentIn(view, notice.deploymentId) !== undefined };
  });
}

function answerTo(
  { temporal }: Asking,
  repository: Repository,
  rootName: string,
  requestId: string,
): Promise<Exclude<LaneAnswer, { readonly kind: 'pending' }>> {
  const lane = temporal.workflow.getHandle(laneWorkflowId(repository, rootName));
  return askUntil({ temporal }, repository, rootName, async () => {
    const answer = await lane.query<LaneAnswer, [string]>(MESSAGE.answer, requestId);
    return answer.kind === 'pending' ? answer : { kind: 'answered', answer };
  });
}

type Looked<Answer> =
  { readonly kind: 'answered'; readonly answer: Answer } | { readonly kind: 'pending'; readonly reason: string };

/** One question is enough but where the lane has yet to read its record. */
async function askUntil<Answer>(
  { temporal }: Asking,
  repository: Repository,
  rootName: string,
  look: () => Promise<Looked<Answer>>,
): Promise<Answer> {
  const deadline = Date.now() + MESSAGE_MS;
  for (let pauseMs = SHORTEST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const looked = await temporal.withDeadline(Date.now() + MESSAGE_MS, look);
    if (looked.kind === 'answered') return looked.answer;
    if (Date.now() + pauseMs > deadline) throw new UndecidedError(fullName(repository), rootName, looked.reason);
    await setTimeout(pauseMs);
  }
}

const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

class UndecidedError extends Error {
  override readonly name = 'UndecidedError';

  constructor(repository: string, rootName: string, reason: string) {
    super(`expected the lane of ${rootName} in ${repository} to decide within ${MESSAGE_MS} ms, found: ${reason}`);
  }
}
