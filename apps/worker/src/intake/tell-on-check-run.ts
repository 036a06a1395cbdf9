/** A refusal, where the person who pressed sees it. */
import {
  laneWorkflowId,
  MESSAGE,
  type IntakeResult,
  type Notice,
  type PressedCheckRun,
  type Repository,
} from '@nereid/contracts';
import {
  commitUrl,
  deploymentUrl,
  renderCheckRun,
  type CheckRunConclusion,
  type CheckRunContent,
} from '@nereid/github';
import { WorkflowNotFoundError } from '@temporalio/client';
import { rootOfCheckRun } from './check-run-root.ts';
import type { IntakeCall } from './intake-call.ts';
import { MESSAGE_MS } from '../lane/start-lane.ts';
import { refused } from './results.ts';

/** What the contract allows. */
const SENTENCE_LIMIT = 500;

/**
 * The lane shows it at the top of the deployment's check run. A lane that no longer knows the deployment would not: then
 * the pressed check run is written here.
 */
export async function tellOnCheckRun(
  call: IntakeCall,
  repository: Repository,
  checkRun: PressedCheckRun,
  whole: string,
): Promise<IntakeResult> {
  const sentence = whole.slice(0, SENTENCE_LIMIT);
  const rootName = rootOfCheckRun(checkRun.name);
  const ended = rootName === undefined ? undefined : await endedContent(call, repository, rootName, checkRun, sentence);
  if (!ended && rootName !== undefined && (await noticeToLane(call, repository, rootName, checkRun, sentence))) {
    return refused(sentence);
  }
  await call.context.github.checkRuns.update(repository, checkRun.id, ended ?? plainContent(checkRun, sentence));
  return refused(sentence);
}

/** True when the lane runs and has the notice. */
async function noticeToLane(
  { context: { temporal } }: IntakeCall,
  repository: Repository,
  rootName: string,
  checkRun: PressedCheckRun,
  sentence: string,
): Promise<boolean> {
  const notice: Notice = { version: 1, deploymentId: checkRun.externalId, sentence };
  const lane = temporal.workflow.getHandle(laneWorkflowId(repository, rootName));
  try {
    await temporal.withDeadline(Date.now() + MESSAGE_MS, () => lane.signal(MESSAGE.notice, notice));
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/** The check run as it ended, with the sentence at its top; undefined when no record says that it ended. */
async function endedContent(
  { context: { deploymentRecords, config } }: IntakeCall,
  repository: Repository,
  rootName: string,
  { externalId }: PressedCheckRun,
  sentence: string,
): Promise<CheckRunContent | undefined> {
  const record = await deploymentRecords.find(repository, rootName, externalId);
  if (!record) return undefined;
  const { deployment } = record;
  const lane = { owner: repository.owner, name: repository.name, rootName };
  return renderCheckRun(
    { deployment, notice: sentence },
    {
      deploymentUrl: deploymentUrl(config.links.consoleUrl, config.links.key?.reveal(), deployment.id, lane),
      commitUrl: commitUrl(config.github.url, repository, deployment.revision.sha),
    },
  );
}

/** Nobody knows the deployment any more: its conclusion stays, its buttons go. */
function plainContent(checkRun: PressedCheckRun, sentence: string): CheckRunContent {
  return {
    name: checkRun.name,
    headSha: checkRun.headSha,
    externalId: checkRun.externalId,
    status: 'completed',
    conclusion: CONCLUSIONS.find((conclusion) => conclusion === checkRun.conclusion) ?? 'neutral',
    title: 'Nothing was done',
    summary: `\`\`\`text\n${sentence.replaceAll(/[`\r\n]/g, ' ')}\n\`\`\``,
    actions: [],
  };
}

const CONCLUSIONS: readonly CheckRunConclusion[] = [
  'success',
  'failure',
  'neutral',
  'cancelled',
  'timed_out',
  'action_required',
];
