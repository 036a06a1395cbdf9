/** Shows a refusal where the person who pressed sees it. */
import { parseCheckRunName } from '@nereid/domain/deployment';
import type { IntakeResult, PressedCheckRun } from '@nereid/domain/intake';
import type { Repository } from '@nereid/domain/root';
import { notifyLane } from '../../lane/ask-lane.ts';
import type { IntakeCall } from '../intake-call.ts';
import { withFailureReported } from '../with-failure-reported.ts';
import { subjectOf } from './subject-of-press.ts';
import { refused } from '../results.ts';
import { writeEnded } from '../../lane/show/write-ended.ts';

/** The limit of the contract. */
const SENTENCE_LIMIT = 500;

/** Carries out a request that was made on a check run. If that fails for good, the check run says why. */
export function onCheckRun(
  call: IntakeCall,
  repository: Repository,
  checkRun: PressedCheckRun,
  act: () => Promise<IntakeResult>,
): Promise<IntakeResult> {
  return withFailureReported(act, (sentence) => refuseOnCheckRun(call, repository, checkRun, sentence));
}

/**
 * The lane shows the sentence at the top of the deployment's check run. If the deployment has ended, or its lane does not
 * know it, the pressed check run is written here. Who asked in the console is answered there.
 */
export async function refuseOnCheckRun(
  call: IntakeCall,
  repository: Repository,
  checkRun: PressedCheckRun,
  whole: string,
): Promise<IntakeResult> {
  const sentence = whole.slice(0, SENTENCE_LIMIT);
  const rootName = parseCheckRunName(checkRun.name);
  call.userActions.refused(subjectOf(checkRun), sentence);
  if (call.answeredIn === 'console' || checkRun.id === undefined) return refused(sentence);
  const isShown = rootName !== undefined && (await showOnDeployment(call, repository, rootName, checkRun, sentence));
  if (!isShown) await call.context.forge.status.addNotice(repository, checkRun.id, sentence);
  return refused(sentence);
}

/** False when neither a record nor the lane knows the deployment. */
async function showOnDeployment(
  call: IntakeCall,
  repository: Repository,
  rootName: string,
  checkRun: PressedCheckRun,
  sentence: string,
): Promise<boolean> {
  const deploymentId = checkRun.externalId;
  const ended = await call.context.deploymentRecords.find(repository, rootName, deploymentId);
  if (!ended) return notifyLane(call, repository, rootName, { deploymentId, sentence });
  await writeEnded(call.context, { repository, checkRun, deployment: ended.deployment, notice: sentence });
  return true;
}
