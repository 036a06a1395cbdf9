/** What tests of the lane start from. */
import type { Deployment, DeploymentRequest, LaneRecord, NewRevision } from '@nereid/contracts';
import { aDeployment, aRoot } from '@nereid/github/testing';

export const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 } as const;

/** When everything of a test happens that needs no order. */
export const NOW = '2026-01-31T14:00:00.000Z';

/** The commit of the branch at this position: 40 digits that end in the position. */
export function shaAt(position: number): string {
  return String(position).padStart(40, '0');
}

/** A merge of the commit at this position; every field can be given otherwise. */
export function aRequest(position: number, changes: Partial<DeploymentRequest> = {}): DeploymentRequest {
  return {
    requestId: `delivery-${position}:network`,
    root: { ...aRoot(), planReview: 'auto' },
    revision: { sha: shaAt(position), branch: 'main', position, title: `Change ${position}`, author: 'alice' },
    trigger: 'merge',
    rerun: false,
    force: false,
    requestedBy: 'alice',
    ...changes,
  };
}

export function aRevision(position: number, changes: Partial<DeploymentRequest> = {}): NewRevision {
  return { version: 1, ...aRequest(position, changes) };
}

/** A deployment of the commit at this position, with the position as its id. */
export function deploymentAt(position: number, changes: Partial<Deployment> = {}): Deployment {
  return { ...aDeployment({ status: 'queued' }), ...aRequest(position), id: String(position), ...changes };
}

export function aRecord(changes: Partial<LaneRecord> = {}): LaneRecord {
  return {
    version: 1,
    repository: REPOSITORY,
    rootName: 'network',
    manual: [],
    merged: [],
    seen: { requestIds: [], merges: [] },
    writer: { runId: 'another run', sequence: 7 },
    ...changes,
  };
}
