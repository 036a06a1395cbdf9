import type { Go } from '../deployment/job/host-job.ts';
import type { Deployment } from '../deployment/model.ts';
import type { PlannedOnHost, PlanOutcome } from '../deployment/job/plan-outcome.ts';
import type { Progress } from '../deployment/progress.ts';
import type { TerraformInput } from '../deployment/terraform-workflow.ts';
import type { Claim } from '../host/claim.ts';
import { defined } from '../defined.ts';
import type { MadePlan, Plan } from '../plan/model.ts';
import type { PolicyResult } from '../plan/policy.ts';
import { NO_CHANGES, type PlanSummary } from '../plan/summary.ts';
import type { Root } from '../root/model.ts';
import type { Signed } from '../signed.ts';
import { reviewAuditEvent } from '../trail/index.ts';
import type { AuditEvent } from '../trail/audit-event.ts';
import type { Beginning, RefusedReview, Unapplied } from './activities.ts';

export const DIGEST = 'a1'.repeat(32);
export const OTHER_DIGEST = 'b2'.repeat(32);

export function aRoot(more: Partial<Root> = {}): Root {
  return {
    name: 'network',
    dir: 'network',
    workspace: 'default',
    distribution: 'terraform',
    planReview: 'required',
    queue: 'every',
    onFailure: 'halt',
    varFiles: [],
    steps: { plan: [], apply: [] },
    permissions: {},
    timeoutMs: { plan: 3_600_000, apply: 3_600_000 },
    ...more,
  };
}

/** What a test says of a deployment: fields of the input, and of the deployment in it. */
export type Start = Partial<Omit<TerraformInput, 'deployment'> & Deployment>;

export function anInput({
  repository,
  reported,
  reviewRequired,
  readToken,
  state,
  durations,
  ...more
}: Start = {}): TerraformInput {
  return {
    repository: repository ?? { owner: 'acme', name: 'infra', installationId: 1 },
    deployment: { ...aDeployment(), ...more },
    reported: reported ?? {},
    reviewRequired: reviewRequired ?? false,
    ...defined({ readToken, state }),
    ...(durations && { durations }),
  };
}

export function aDeployment(): Deployment {
  return {
    id: 'd1',
    requestId: 'delivery:network',
    root: aRoot(),
    revision: { sha: 'c'.repeat(40), branch: 'main', position: 1, title: 'Add a subnet', author: 'ada' },
    trigger: 'merge',
    rerun: false,
    force: false,
    requestedBy: 'ada',
    receivedAt: '2026-01-31T14:00:00.000Z',
    progress: { status: 'preparing', times: {}, jobs: {} },
    checkRuns: [],
  };
}

export function aSummary(more: Partial<PlanSummary> = {}): PlanSummary {
  return { ...NO_CHANGES, resources: [], omitted: 0, ...more };
}

type Planned = Extract<PlanOutcome, { kind: 'planned' }>;

/** What a host answers that planned to create one resource. */
export function planned(more: Partial<MadePlan> = {}, signature = 'signed by a host'): Planned {
  const of = { version: 1, deploymentId: 'd1', order: 'an order' } as const;
  const body = { ...of, hasChanges: true, digest: DIGEST, summary: aSummary({ create: 1 }), ...more };
  return { kind: 'planned', plan: { body, signature } };
}

export function aPlan({ reviewRequired = true, beforeMerge, expiresAt, ...made }: PlanFields = {}): Plan {
  return { made: planned(made).plan, reviewRequired, ...defined({ beforeMerge, expiresAt }) };
}

type PlanFields = Partial<Omit<Plan, 'made'> & MadePlan>;

export function aProgress(more: Partial<Progress> = {}): Progress {
  return { status: 'applying', times: {}, jobs: {}, ...more };
}

/** What a required policy says that denies. */
export function aDenial(more: Partial<PolicyResult> = {}): PolicyResult {
  return { name: 'cost', enforce: 'required', verdict: 'denied', denials: ['too much'], warnings: [], ...more };
}

export function claimOf(deploymentId: string, hostId: string): Signed<Claim> {
  return { body: { version: 1, deploymentId, hostId }, signature: `claim of ${hostId}` };
}

/** What a host answers that took a plan at the time at which the deployment of these tests begins. */
export function plannedOn(deploymentId: string, hostId: string, outcome: PlanOutcome): PlannedOnHost {
  return { claim: claimOf(deploymentId, hostId), since: '2026-01-31T14:00:00.000Z', outcome };
}

/** As control signs it. */
export function goOf({ deployment, job, hostId }: Pick<Beginning, 'deployment' | 'job' | 'hostId'>): Signed<Go> {
  const { id: deploymentId, order = '', progress } = deployment;
  const about = { deploymentId, jobId: job.id, hostId, digest: progress.plan?.made.body.digest ?? '', order };
  const until = '2026-01-31T16:00:00.000Z';
  return {
    body: { version: 1, ...about, acceptBy: until, beginBy: until, expiresAt: until },
    signature: `go ${hostId}`,
  };
}

/** What the audit trail hears of it. */
export function auditsOfAside(aside: RefusedReview | Unapplied): readonly AuditEvent[] {
  if (!('review' in aside)) return aside.audits;
  const { repository, deployment, review, sentence } = aside;
  return [reviewAuditEvent(repository, deployment, review.body, sentence)];
}
