/** The gate: from the plan on GitHub to a person's answer, or the end of a week. */
import { condition, setCurrentDetails } from '@temporalio/workflow';
import { defined } from '@nereid/domain/defined';
import type { Plan, Review } from '@nereid/domain/plan';
import { describeGate, objectingPolicies } from '@nereid/domain/gates';
import { timestamp } from '../../timestamp.ts';
import { advance, withoutReason } from '../progress.ts';
import { advanceTo, note, showState, type Run } from '../run.ts';

/**
 * Whether the plan may be applied, because somebody approved it or, if it takes no review, overrode its policies; if not, the deployment has ended. `why` says why an earlier plan had to be made again. An
 * approval that nobody signed opens the gate once more, for the rest of its time.
 */
export async function review(run: Run, plan: Plan, why: string | undefined): Promise<boolean> {
  const { progress, durations } = run;
  const expiresAt = progress.plan?.expiresAt ?? new Date(Date.now() + durations.gateMs).toISOString();
  run.gate = { digest: plan.digest };
  run.approval = undefined;
  const more = { plan: { ...plan, expiresAt }, ...defined({ reason: why }) };
  if (progress.status === 'awaiting-review') note(run, { ...withoutReason(progress), ...more });
  else advanceTo(run, advance(progress, 'awaiting-review', timestamp(), more));
  showState(run);
  setCurrentDetails(describeGate(run.input.deployment.root, plan, expiresAt));

  return conclude(run, plan, await answerUntil(run, plan, expiresAt));
}

/** Whether it takes somebody to let the plan go on that policies deny. */
export function isObjectedTo({ progress }: Run, plan: Plan): boolean {
  return objectingPolicies(plan, progress.overrides).length > 0;
}

/** Undefined when nobody answered in time, or nobody has to. However the wait ends, nobody can answer afterwards. */
async function answerUntil(run: Run, plan: Plan, expiresAt: string): Promise<Review | undefined> {
  try {
    const leftMs = Math.max(1, Date.parse(expiresAt) - Date.now());
    const isOpen = () => run.gate?.answer !== undefined || (!plan.reviewRequired && !isObjectedTo(run, plan));
    await condition(isOpen, leftMs, { summary: 'the gate closes' });
    return run.gate?.answer;
  } finally {
    if (run.gate?.answer?.answer !== 'approved') run.gate = undefined;
    setCurrentDetails('');
  }
}

function conclude(run: Run, plan: Plan, answer: Review | undefined): boolean {
  if (answer?.answer === 'approved') return true;
  if (answer === undefined && !plan.reviewRequired && !isObjectedTo(run, plan)) return true;
  const { progress } = run;
  advanceTo(
    run,
    answer === undefined
      ? advance(progress, 'expired', timestamp())
      : advance(progress, 'rejected', timestamp(), { review: answer }),
  );
  return false;
}
