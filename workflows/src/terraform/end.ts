/** The end of a deployment. Its lane is told first, so that the next deployment starts, then GitHub; then it is recorded. */
import { log } from '@temporalio/workflow';
import type { Ended, Finish, TerraformResult } from '@nereid/contracts';
import { timestamp } from '../timestamp.ts';
import { causeOf, cleaningOn, endDeployment, finishDeployment } from './activities.ts';
import { deploymentOf, inBackground, showState, type Run } from './run.ts';
import { beginWriting, endIsShown, endIsShownWithin, endWriting, isEndShown } from './show.ts';

export async function end(run: Run): Promise<TerraformResult> {
  showState(run);
  inBackground(run, 'the end', () => conclude(run));
  inBackground(run, 'the clean-up', () => cleanUp(run));
  // A review that is refused meanwhile, or a lock that is lifted, leaves more to write.
  while (run.background.length > 0 || !isEndShown(run)) {
    await Promise.all([endIsShown(run), ...run.background.splice(0)]);
  }
  const { progress, checkRuns, reported, notice } = run;
  return { progress, checkRuns, reported, ...(notice && { notice }) };
}

/** Tells and stores the end in one activity. If GitHub or storage does not take it, it is retried for as long as it takes. */
async function conclude(run: Run): Promise<void> {
  const audits = run.audits.splice(0);
  const presentation = run.isWriting ? undefined : beginWriting(run);
  const { deployment: _same, ...show } = presentation ?? {};
  const ending = { ...finishOf(run, audits), ...(presentation && { show }) };
  const { shown, isStored } = await endDeployment(ending).catch(leaveToOthers);
  if (presentation !== undefined) endWriting(run, presentation, shown);
  if (isStored) return;
  // People are told first, as long as GitHub answers at all; then the record names all check runs.
  await endIsShownWithin(run, run.durations.tellFirstMs);
  await finishDeployment(finishOf(run, audits));
}

/** Only an operator can make the activity fail for good. Then the lane hears of the end from Temporal. */
function leaveToOthers(error: unknown): Ended {
  log.warn('the end of a deployment could not be told in one go', { reason: causeOf(error) });
  return { isStored: false };
}

function finishOf(run: Run, audits: Finish['audits']): Finish {
  const { repository } = run.input;
  const { status, times } = run.progress;
  const record = {
    version: 1,
    repository,
    deployment: deploymentOf(run),
    endedAt: times[status] ?? timestamp(),
  } as const;
  return { record, audits, deletesPlan: run.keepsPlan };
}

/** On a dead host, the janitor removes the rest. */
async function cleanUp({ hosts, durations, input }: Run): Promise<void> {
  const { id } = input.deployment;
  await Promise.allSettled([...hosts].map((hostId) => cleaningOn(hostId, durations).cleanUpHost(id)));
}
