/** What tests about deployments start from; every field can be given otherwise. */
import type { Lock } from '../deployment/lock.ts';
import type { Deployment } from '../deployment/model.ts';
import type { Progress } from '../deployment/progress.ts';
import type { DeploymentStatus } from '../deployment/status.ts';
import type { MadePlan, Plan } from '../plan/model.ts';
import { NO_CHANGES } from '../plan/summary.ts';
import { defined } from '../defined.ts';
import type { Root } from '../root/model.ts';
import type { JobAuditEvent } from '../trail/audit-event.ts';

export const SHA = 'abc1234def5678abc1234def5678abc1234def56';

export function aDeployment(progress: Partial<Progress> & { status: DeploymentStatus }): Deployment {
  return {
    id: '3f2a8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90',
    requestId: 'delivery-1:network',
    root: aRoot(),
    revision: { sha: SHA, branch: 'main', position: 42, title: 'Add a bucket', author: 'alice' },
    trigger: 'merge',
    rerun: false,
    force: false,
    requestedBy: 'alice',
    pullRequest: 12,
    receivedAt: '2026-01-31T14:00:00.000Z',
    progress: { times: {}, jobs: {}, ...progress },
    checkRuns: [],
  };
}

export function aRoot(): Root {
  return {
    name: 'network',
    dir: 'infra/network',
    workspace: 'default',
    distribution: 'terraform',
    planReview: 'required',
    queue: 'every',
    onFailure: 'continue',
    varFiles: [],
    timeoutMs: { plan: 3_600_000, apply: 3_600_000 },
    steps: { plan: [], apply: [] },
    permissions: {},
  };
}

/** With other fields of what its host made, or of the plan itself. */
export function aPlan({ reviewRequired = true, beforeMerge, expiresAt, ...made }: PlanFields = {}): Plan {
  const signature = `header..${'0123456789ab'.padEnd(85, 'x')}A`;
  const own = { reviewRequired, ...defined({ beforeMerge }), expiresAt: expiresAt ?? '2026-02-07T14:05:00.000Z' };
  return { made: { body: { ...MADE, ...made }, signature }, ...own };
}

type PlanFields = Partial<Omit<Plan, 'made'> & MadePlan>;

const MADE: MadePlan = {
  version: 1,
  deploymentId: '3f2a8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90',
  order: 'its order',
  digest: '0123456789abcdef'.repeat(4),
  hasChanges: true,
  summary: {
    ...NO_CHANGES,
    create: 1,
    update: 1,
    replace: 1,
    delete: 1,
    outputs: 2,
    omitted: 0,
    resources: [
      { address: 'aws_s3_bucket.old', action: 'delete' },
      { address: 'aws_instance.web["a"]', action: 'replace' },
      { address: 'module.vpc.aws_route.internet', action: 'update' },
      { address: 'aws_s3_bucket.new', action: 'create' },
    ],
  },
};

/** As if its host had said something else. The signature stays. */
export function withMade({ made, ...plan }: Plan, more: Partial<MadePlan>): Plan {
  return { ...plan, made: { ...made, body: { ...made.body, ...more } } };
}

/** An apply that succeeded, as the audit trail has it. */
export function anApplyAudit(more: Partial<JobAuditEvent> = {}): JobAuditEvent {
  return {
    version: 1,
    id: 'apply',
    state: 'SUCCESS',
    jobId: 'j1',
    jobType: 'apply',
    deploymentId: 'd1',
    repository: 'acme/infra',
    rootName: 'network',
    revision: 'a'.repeat(40),
    isForceApply: false,
    trigger: 'merge',
    rerun: false,
    initiatingUser: 'alice',
    startedAt: '2026-01-31T14:00:00.000Z',
    workflowId: 'd1',
    ...more,
  };
}

export function aLock(kind: Lock['kind'] = 'manual'): Lock {
  return {
    kind,
    deploymentId: '11111111-0d4b-4e7a-9c55-1f0e6b7a2d90',
    revision: 'def5678abc1234def5678abc1234def5678abc12',
    by: 'bob',
    at: '2026-01-31T13:00:00.000Z',
  };
}
