/** The only way in which control sends a sentence for the top of a check run: a sentence that nobody signed counts as forged. */
import { noticeFacts, type Notice } from '@nereid/domain/deployment';
import { MESSAGE } from '@nereid/domain/temporal-names';
import type { WorkerContext } from '../platform/context.ts';
import { MESSAGE_MS } from './start-lane.ts';

/** To the workflow that writes the check run, or to its lane. Throws when Temporal does not take it. */
export async function sendNotice(
  { temporal, signatures }: Pick<WorkerContext, 'signatures' | 'temporal'>,
  workflowId: string,
  { deploymentId, sentence }: Pick<Notice, 'deploymentId' | 'sentence'>,
): Promise<void> {
  const signature = await signatures.sign('notice', noticeFacts(deploymentId, sentence));
  const notice: Notice = { version: 1, deploymentId, sentence, signature };
  const workflow = temporal.workflow.getHandle(workflowId);
  await temporal.withDeadline(Date.now() + MESSAGE_MS, () => workflow.signal<[Notice]>(MESSAGE.notice, notice));
}
