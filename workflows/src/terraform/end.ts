/** The end of a deployment. Its lane is told first, so that the next deployment starts, then GitHub; then it is recorded. */
import { log } from '@temporalio/workflow';
import type { Ended, Finish } from '@nereid/domain/activities';
import type { DeploymentStatus, TerraformResult } from '@nereid/domain/deployment';
import { timestamp } from '../timestamp.ts';
import { causeOf, cleaningOn, endDeployment, finishDeployment, isForged } from './activities.ts';
import { audit } from './apply/audit.ts';
import { advance, failed } from './progress.ts';
import { advanceTo, deploymentOf, isPreview, inBackground, showState, type Run } from './run.ts';
import { beginWriting, endIsShown, endIsShownWithin, endWriting, hasNothingToShow, isEndShown } from './show.ts';

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

/**
 * Tells and stores the end in one activity. If GitHub or storage does not take it, it is retried for as long as it takes. An
 * answer of a host that nobody signed is not told: then nobody knows how the apply ended.
 */
async function conclude(run: Run): Promise<void> {
  const audits = run.audits.splice(0);
  const presentation = run.isWriting || hasNothingToShow(run) ? undefined : beginWriting(run);
  const { deployment: _same, ...show } = presentation ?? {};
  const ending = { ...finishOf(run, audits), ...(presentation && { show }) };
  const ended = await endDeployment(ending).catch((error: unknown) =>
    isUnsigned(run, error) ? UNSIGNED : leaveToOthers(error),
  );
  if (presentation !== undefined) endWriting(run, presentation, ended.shown);
  if (ended === UNSIGNED) return concludeAsUnknown(run);
  if (ended.isStored) return;
  // People are told first, as long as GitHub answers at all; then the record names all check runs.
  await endIsShownWithin(run, run.durations.tellFirstMs);
  await finishDeployment(finishOf(run, audits));
}

const UNSIGNED: Ended = { isStored: false };

/** The ends that say what a host did. */
const CLAIMS: readonly DeploymentStatus[] = ['succeeded', 'no-changes', 'apply-failed', 'planned'];

function isUnsigned({ progress }: Run, error: unknown): boolean {
  return isForged(error) && CLAIMS.includes(progress.status);
}

async function concludeAsUnknown(run: Run): Promise<void> {
  if (isPreview(run)) {
    const { plan: _unsigned, ...rest } = run.progress;
    const why = 'No host of this installation signed this plan';
    advanceTo(run, advance(rest, 'plan-failed', timestamp(), { reason: why, failure: failed(why) }));
    return conclude(run);
  }
  const { proof: _forged, applied: _claimed, failure: _too, ...known } = run.progress;
  const reason =
    'No host of this installation signed the answer about the apply. Terraform may have changed resources: look at the state before you go on.';
  advanceTo(run, advance(known, 'apply-outcome-unknown', timestamp(), { reason }));
  run.hoursUnshown = 0;
  showState(run);
  if (run.progress.jobs.apply !== undefined) audit(run, run.progress.jobs.apply, 'UNKNOWN');
  await conclude(run);
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
