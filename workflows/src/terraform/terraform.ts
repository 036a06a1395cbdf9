/**
 * The terraform workflow: one deployment.
 *
 * It makes a plan, waits for a person's answer, and applies exactly that plan; or it applies a plan that a person confirmed before
 * the merge. A plan that cannot be used any more is made and reviewed again, and the check run says why. Whatever happens, the
 * deployment ends with a named status: the lane and GitHub are told at once, storage and the audit trail however long that takes.
 */
import { CancellationScope, isCancellation } from '@temporalio/workflow';
import { hasEnded, type TerraformInput, type TerraformResult } from '@nereid/domain/deployment';
import type { Plan } from '@nereid/domain/plan';
import { timestamp } from '../timestamp.ts';
import { apply, type Applied } from './apply/apply.ts';
import { applyReviewedBefore } from './apply/reviewed-before.ts';
import { end } from './end.ts';
import { receiveMessages } from './messages.ts';
import { plan } from './plan.ts';
import { advance, failed } from './progress.ts';
import { isObjectedTo, review } from './gate/review.ts';
import { advanceTo, isPreview, openRun, whyCancelled, type Run } from './run.ts';
import { keepShown } from './show.ts';

/** If the state changes under every plan, something else changes it all the time, and a person has to find it. */
const PLANS_TRIED = 5;

export async function terraform(input: TerraformInput): Promise<TerraformResult> {
  const run = openRun(input);
  receiveMessages(run);
  void CancellationScope.nonCancellable(() => keepShown(run));
  try {
    await deploy(run);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    endCancelled(run);
  }
  return await CancellationScope.nonCancellable(() => end(run));
}

async function deploy(run: Run): Promise<void> {
  const before = await applyReviewedBefore(run);
  if (before.kind === 'ended') return;
  for (let { why } = before, plans = 1; ; plans += 1) {
    const planned = await plan(run);
    if (planned.kind === 'ended') return;
    if (isPreview(run)) {
      advanceTo(run, advance(run.progress, 'planned', timestamp()));
      return;
    }
    const applied = await applyReviewed(run, planned.plan, why);
    if (applied.kind === 'ended') return;
    why = applied.why;
    if (plans === PLANS_TRIED) {
      const reason = `${PLANS_TRIED} plans in a row could not be used. The last one: ${why}`;
      advanceTo(run, advance(run.progress, 'plan-failed', timestamp(), { reason, failure: failed(reason) }));
      return;
    }
  }
}

async function applyReviewed(
  run: Run,
  plan: Plan,
  why: string | undefined,
): Promise<Exclude<Applied, { readonly kind: 'not approved' }>> {
  for (;;) {
    const isAsked = plan.reviewRequired || isObjectedTo(run, plan);
    if (isAsked && !(await review(run, plan, why))) return { kind: 'ended' };
    // From here on, a cancellation reaches Terraform through the activity, and the workflow waits for the outcome.
    const applied = await apply(run, plan);
    if (applied.kind !== 'not approved') return applied;
  }
}

/** Cancelled before its apply began, so nothing was applied. With the status `applying`, the outcome counts as unknown. */
function endCancelled(run: Run): void {
  if (hasEnded(run.progress.status)) return;
  const status = run.progress.status === 'applying' ? 'apply-outcome-unknown' : 'cancelled';
  advanceTo(run, advance(run.progress, status, timestamp(), { reason: whyCancelled(run) }));
}
