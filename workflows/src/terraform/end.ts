/** The end of a deployment: its lane hears of it first, so that the next one goes on, then GitHub, then the records. */
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
  // A review that is refused meanwhile adds to it, as does a lock that is lifted.
  while (run.background.length > 0 || !isEndShown(run)) {
    await Promise.all([endIsShown(run), ...run.background.splice(0)]);
  }
  const { progress, checkRuns, reported, notice } = run;
  return { progress, checkRuns, reported, ...(notice && { notice }) };
}

/** In one go. What GitHub or storage does not take by then is tried for as long as it takes. */
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

/** Only an operator makes it fail for good. Its lane hears of the end from Temporal, then. */
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

/** What stays behind on a dead host is its janitor's. */
async function cleanUp({ hosts, durations, input }: Run): Promise<void> {
  const { id } = input.deployment;
  await Promise.allSettled([...hosts].map((hostId) => cleaningOn(hostId, durations).cleanUpHost(id)));
}
