/**
 * A merge whose plan a person confirmed on the pull request: exactly that plan is applied, without another plan or question. If
 * anything is not as it was reviewed, the deployment goes on as any other, and its check run says what is different.
 */
import { isCancellation } from '@temporalio/workflow';
import { defined } from '@nereid/domain/defined';
import type { ReviewedBefore, ReviewedPlan } from '@nereid/domain/plan';
import { timestamp } from '../../timestamp.ts';
import { causeOf, findReviewedPlan } from '../activities.ts';
import { claimHost } from '../claim.ts';
import { planAgain } from '../progress.ts';
import { advanceTo, note, type Run } from '../run.ts';
import { apply } from './apply.ts';
import { writeAudits } from './audit.ts';

export type BeforeMerge =
  | { readonly kind: 'ended' }
  /** `why` is absent when nobody reviewed it before the merge. */
  | { readonly kind: 'plan'; readonly why?: string };

export async function applyReviewedBefore(run: Run): Promise<BeforeMerge> {
  const { reviewed } = run.input.deployment;
  if (reviewed === undefined) return { kind: 'plan' };
  const found = await findPlan(run, reviewed);
  if (found.kind === 'unusable') return again(run, found.why);

  const { plan, job, approval } = found;
  const { by, byId, requestId, digest, at, signature } = approval;
  const press = signature === undefined ? {} : { press: { requestId, digest, at, signature } };
  const review = { answer: 'approved', by, ...defined({ byId }), at: timestamp(), ...press } as const;
  note(run, { ...run.progress, plan, review, jobs: job === undefined ? {} : { plan: job } });
  run.approval = approval;
  await claimHost(run, 'apply');
  const applied = await apply(run, plan);
  return applied.kind === 'plan again' ? again(run, but(reviewed, applied.why)) : { kind: 'ended' };
}

async function findPlan(run: Run, reviewed: ReviewedBefore): Promise<ReviewedPlan> {
  const { repository, deployment, reviewRequired } = run.input;
  if (reviewRequired) return { kind: 'unusable', why: but(reviewed, DIVERGED) };
  try {
    return await findReviewedPlan(repository, deployment);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { kind: 'unusable', why: but(reviewed, causeOf(error)) };
  }
}

const DIVERGED = 'this commit does not contain what is deployed';

function but({ by }: ReviewedBefore, why: string): string {
  return `@${by} confirmed a plan of this before the merge, but ${why}`;
}

function again(run: Run, why: string): BeforeMerge {
  writeAudits(run);
  run.approval = undefined;
  const { plan: _job, ...jobs } = run.progress.jobs;
  advanceTo(run, planAgain({ ...run.progress, jobs }, timestamp(), why));
  return { kind: 'plan', why };
}
