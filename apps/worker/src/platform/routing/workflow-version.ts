import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import type { WorkflowBundleOption } from '@temporalio/worker';

/** Of all control workers, in the words of Temporal's Worker Deployment Versioning. */
export const WORKER_DEPLOYMENT = 'nereid';

/** Twelve digits tell apart more builds than anybody makes. */
const DIGITS = 12;

/**
 * `0.1.0-3f9a2b1c8d7e`: the release, and a digest of the workflow code. Images with the same workflow code are one version, because
 * either of them replays what the other began.
 */
export async function workflowVersion(bundle: WorkflowBundleOption, release: string): Promise<WorkerDeploymentVersion> {
  const code = 'code' in bundle ? bundle.code : await readFile(bundle.codePath, 'utf8');
  const digest = createHash('sha256').update(code).digest('hex').slice(0, DIGITS);
  return { deploymentName: WORKER_DEPLOYMENT, buildId: `${release}-${digest}` };
}
