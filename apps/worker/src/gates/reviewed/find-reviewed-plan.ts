/**
 * Judges a review that a person gave before the merge, when the merge has its turn. It holds if exactly what was reviewed would be
 * applied, and the person may still confirm it, now that it is known who merged it. Then control says so by a review of the
 * deployment, which permission to apply depends on like on any other.
 */
import { placeOf, policyFor } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import { orderOf, withoutMentions, type Deployment } from '@nereid/domain/deployment';
import type { MergeReview, PlanReview, ReviewedPlan } from '@nereid/domain/plan';
import { fullName, type Repository } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import type { WorkerContext } from '../../platform/context.ts';
import { returnPlanLeases } from '../../lane/budgets/budget-leases.ts';
import { broughtWith } from '../../lane/brought/brought.ts';
import { openPlan } from '../../lane/verify-orders.ts';
import { decide } from '../../person/permission.ts';
import { lanePosition } from '../../lane/turn/lane-position.ts';
import { changedBefore, wentBefore } from '../../rollout/went-before.ts';
import { whyDenied } from '../verify-plan-policies.ts';
import { allowsReviewBefore } from '../verify-policy.ts';
import { whyOtherFiles } from './other-files.ts';
import { whyNotAsReviewed } from './why-not-as-reviewed.ts';

export interface ReviewTools {
  readonly context: WorkerContext;
  /** When the activity was scheduled, in milliseconds since 1970. */
  readonly scheduledAtMs: number;
  readonly signal: AbortSignal;
}

/** Skipped deployments change nothing, and more than this many in a row are no everyday. */
const ENDED_READ = 20;

export async function findReviewedPlan(
  tools: ReviewTools,
  repository: Repository,
  deployment: Deployment,
): Promise<ReviewedPlan> {
  const { context } = tools;
  const { id, root } = deployment;
  await context.signatures.open('order/deploy', orderOf(repository, deployment), {});
  const about = { rootName: root.name };
  const { body: reviewed } = await context.signatures.open('decision/merge-review', deployment.reviewed?.review, about);
  const preview = await readPreview(context, repository, reviewed);
  const why =
    (await whyChanged(tools, { repository, deployment, reviewed, preview })) ??
    (await whyNotAllowed(tools, { repository, deployment, reviewed, preview }));
  const { plan, jobs } = preview?.progress ?? {};
  if (why !== undefined || plan === undefined) return unusable(reviewed, why ?? 'that plan is not kept any more');
  // Nobody overrides a policy on a preview: the deployment's own plan asks its owner.
  const denied = whyDenied(context.server.current(), { repository, deployment, plan });
  if (denied !== undefined) return unusable(reviewed, denied);
  const before = await wentBefore(context, repository, deployment);
  if (before !== undefined) return unusable(reviewed, changedBefore(before));
  // It applies that plan, and makes none.
  await returnPlanLeases(context, { repository, deployment });
  return {
    kind: 'usable',
    plan: { ...plan, reviewRequired: true, beforeMerge: true },
    ...(jobs?.plan && { job: jobs.plan }),
    approval: await approvalOf(context, id, reviewed),
  };
}

function unusable({ by }: MergeReview, why: string): ReviewedPlan {
  return { kind: 'unusable', why: `@${by} confirmed a plan of this before the merge, but ${why}` };
}

/** Undefined when storage does not have it. Throws a `ForgedError` when it was not ordered, or planned by no host of ours. */
async function readPreview(
  { pullRequestRecords, signatures }: WorkerContext,
  repository: Repository,
  { rootName, previewId }: MergeReview,
): Promise<Deployment | undefined> {
  const preview = (await pullRequestRecords.readPreview(repository, rootName, previewId))?.deployment;
  if (preview === undefined) return undefined;
  await signatures.open('order/preview', orderOf(repository, preview), {});
  const { plan } = preview.progress;
  if (plan) await openPlan({ signatures }, preview, plan);
  return preview;
}

interface Judged {
  readonly repository: Repository;
  readonly deployment: Deployment;
  readonly reviewed: MergeReview;
  readonly preview: Deployment | undefined;
}

async function whyChanged(
  { context, signal }: ReviewTools,
  { repository, deployment, reviewed, preview }: Judged,
): Promise<string | undefined> {
  const { root } = deployment;
  return whyNotAsReviewed({
    ...{ deployment, reviewed, preview },
    otherFiles: await whyOtherFiles({ context, signal }, { repository, deployment, reviewed, preview }),
    lane: await lanePosition(context, repository, root.name),
    last: (await context.laneTurns.read(repository, root.name))?.last?.deployment,
    ended: await context.deploymentRecords.latest(repository, root.name, ENDED_READ),
    isAllowed: allowsReviewBefore(context.server.current(), repository, root),
    nowMs: Date.now(),
  });
}

/** The person may have lost the permission since, or may have merged it. */
async function whyNotAllowed(
  { context, signal, scheduledAtMs }: ReviewTools,
  { repository, deployment, reviewed, preview }: Judged,
): Promise<string | undefined> {
  const policy = policyFor(context.server.current(), fullName(repository));
  if (policy === undefined) return 'the repository is not allowed any more';
  const call = { context, signal, delivery: reviewed.requestId, scheduledAtMs };
  const decision = await decide(call, {
    ...{ repository, policy, root: placeOf(deployment.root), action: 'confirm', login: reviewed.by, id: reviewed.byId },
    brought: async () => {
      const brought = await broughtWith(call, repository, deployment);
      const author = preview && [{ login: preview.requestedBy, id: preview.requestedById }];
      return { ...brought, people: [...brought.people, ...(author ?? [])] };
    },
  });
  return decision.kind === 'no' ? `it does not count any more: ${withoutMentions(decision.sentence)}` : undefined;
}

async function approvalOf(
  { signatures }: WorkerContext,
  deploymentId: string,
  { requestId, digest, by, byId, at }: MergeReview,
): Promise<Signed<PlanReview>> {
  return signatures.enclose('decision/review', {
    version: 1,
    requestId,
    deploymentId,
    answer: 'approved',
    digest,
    by,
    ...defined({ byId }),
    at,
  });
}
