/** The gate: from the plan on GitHub to a person's answer, or the end of a week. */
import { condition } from '@temporalio/workflow';
import type { Plan } from '@nereid/contracts';
import { advance } from './progress.ts';
import { showState, tell, timestamp, type Run } from './run.ts';

/** Whether the plan may be applied; if not, the deployment has ended. `why` says why an earlier plan is asked again. */
export async function review(run: Run, plan: Plan, why: string | undefined): Promise<boolean> {
  const expiresAt = new Date(Date.now() + run.durations.gateMs).toISOString();
  run.gate = { digest: plan.digest };
  run.progress = advance(run.progress, 'awaiting-review', timestamp(), {
    plan: { ...plan, expiresAt },
    ...(why !== undefined && { reason: why }),
  });
  tell(run);
  showState(run);

  await condition(() => run.gate?.answer !== undefined, run.durations.gateMs);
  const answer = run.gate.answer;
  run.gate = undefined;
  return conclude(run, answer);
}

function conclude(run: Run, answer: Run['progress']['review']): boolean {
  if (answer?.answer === 'approved') {
    run.progress = { ...run.progress, review: answer };
    return true;
  }
  run.progress =
    answer === undefined
      ? advance(run.progress, 'expired', timestamp())
      : advance(run.progress, 'rejected', timestamp(), { review: answer });
  return false;
}
