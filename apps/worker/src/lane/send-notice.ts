/** The only way in which control sends a sentence for the top of a check run: a sentence that nobody signed counts as forged. */
import type { Notice } from '@nereid/domain/deployment';
import type { Signed } from '@nereid/domain/signed';
import { MESSAGE } from '@nereid/domain/temporal-names';
import type { WorkerContext } from '../platform/context.ts';
import { MESSAGE_MS } from './start-lane.ts';

/** In characters, as the contract says. */
const SENTENCE_LIMIT = 500;

/** To the workflow that writes the check run, or to its lane. Throws when Temporal does not take it. */
export async function sendNotice(
  { temporal, signatures }: Pick<WorkerContext, 'signatures' | 'temporal'>,
  workflowId: string,
  { deploymentId, sentence }: Pick<Notice, 'deploymentId' | 'sentence'>,
): Promise<void> {
  const body: Notice = { version: 1, deploymentId, sentence: sentence.slice(0, SENTENCE_LIMIT) };
  const notice = await signatures.enclose('decision/notice', body);
  const workflow = temporal.workflow.getHandle(workflowId);
  await temporal.withDeadline(Date.now() + MESSAGE_MS, () => workflow.signal<[Signed<Notice>]>(MESSAGE.notice, notice));
}
