/** The gate: from the plan on GitHub to a person's answer, or the end of a week. */
import { condition, setCurrentDetails } from '@temporalio/workflow';
import type { Plan, Review } from '@nereid/contracts';
import { describeGate } from '@nereid/lane';
import { timestamp } from '../../timestamp.ts';
import { advance } from '../progress.ts';
import { advanceTo, note, showState, type Run } from '../run.ts';

/** Whether the plan may be applied; if not, the deployment has ended. `why` says why an earlier plan had to be made again. */
export async function review(run: Run, plan: Plan, why: string | undefined): Promise<boolean> {
  const expiresAt = new Date(Date.now() + run.durations.gateMs).toISOString();
  run.gate = { digest: plan.digest };
  run.approval = undefined;
  const more = { plan: { ...plan, expiresAt }, ...(why !== undefined && { reason: why }) };
  advanceTo(run, advance(run.progress, 'awaiting-review', timestamp(), more));
  showState(run);
  setCurrentDetails(describeGate(run.input.deployment.root, plan, expiresAt));

  return conclude(run, await answerOf(run));
}

/** Undefined when nobody answered in time. However the wait ends, nobody can answer afterwards. */
async function answerOf(run: Run): Promise<Review | undefined> {
  try {
    await condition(() => run.gate?.answer !== undefined, run.durations.gateMs, { summary: 'the gate closes' });
    return run.gate?.answer;
  } finally {
    run.gate = undefined;
    setCurrentDetails('');
  }
}

function conclude(run: Run, answer: Review | undefined): boolean {
  if (answer?.answer === 'approved') {
    note(run, { ...run.progress, review: answer });
    return true;
  }
  const { progress } = run;
  advanceTo(
    run,
    answer === undefined
      ? advance(progress, 'expired', timestamp())
      : advance(progress, 'rejected', timestamp(), { review: answer }),
  );
  return false;
}
