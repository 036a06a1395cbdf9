import { randomUUID } from 'node:crypto';
import { aRoot, NEVER } from '@nereid/domain/testing';
import type { UnsignedJob } from '../../../testing/test-signatures.ts';

/** Of a new deployment, not signed. */
export function aJob(): UnsignedJob {
  return {
    deploymentId: randomUUID(),
    jobId: randomUUID(),
    repository: { owner: 'acme', name: 'infra', installationId: 1 },
    root: { ...aRoot(), dir: 'network' },
    revision: { sha: 'a'.repeat(40), branch: 'main', position: 1, title: 'a change', author: 'ada' },
    requestedBy: 'ada',
    ...{ requestId: 'r1', trigger: 'merge', rerun: false, force: false, expiresAt: NEVER },
  };
}
