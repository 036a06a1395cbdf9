/** The logs of the jobs of a deployment. Pure. */
import { countsOf } from './fate/fate.ts';
import { applyLog, brokenApplyLog, failedApplyLog, failedPlanLog, planLog } from './terraform-text.ts';
import type { MadeUpDeployment } from './week.ts';

export interface JobLog {
  readonly jobId: string;
  readonly text: string;
}

export function logsOf({ edits, progress, status }: MadeUpDeployment): readonly JobLog[] {
  const { jobs, failure } = progress;
  const lines = failure?.body.lines ?? [];
  const isPlanned = status !== 'plan-failed';
  return [
    ...(jobs.plan ? [{ jobId: jobs.plan.id, text: isPlanned ? planLog(edits) : failedPlanLog(lines) }] : []),
    ...(jobs.apply ? [{ jobId: jobs.apply.id, text: applyText() }] : []),
  ];

  function applyText(): string {
    if (status === 'apply-failed') return failedApplyLog(edits, lines);
    return status === 'apply-outcome-unknown' ? brokenApplyLog(edits) : applyLog(edits, countsOf(edits));
  }
}
