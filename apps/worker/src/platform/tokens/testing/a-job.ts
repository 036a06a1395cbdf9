import { randomUUID } from 'node:crypto';
import type { UnsignedJob } from '../../../testing/test-signatures.ts';

/** Of a new deployment, not signed. */
export function aJob(): UnsignedJob {
  return {
    deploymentId: randomUUID(),
    jobId: randomUUID(),
    repository: { owner: 'acme', name: 'infra', installationId: 1 },
    root: {
      name: 'network',
      dir: 'network',
      workspace: 'default',
      distribution: 'terraform',
      planReview: 'required',
      queue: 'every',
      onFailure: 'continue',
      varFiles: [],
      timeoutMs: { plan: 3_600_000, apply: 3_600_000 },
      steps: { plan: [], apply: [] },
      permissions: {},
    },
    revision: { sha: 'a'.repeat(40), branch: 'main', position: 1, title: 'a change', author: 'ada' },
    requestedBy: 'ada',
    ...{ requestId: 'r1', trigger: 'merge', rerun: false, force: false },
  };
}
