/** What tests of the lane start from. */
import type { Deployment, DeploymentRequest, LaneRecord, NewRevision, PlanSummary } from '@nereid/contracts';
import { aDeployment, aPlan, aRoot } from '@nereid/github/testing';

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

/** As large as one may be: 200 resources whose addresses have 200 characters each, of three bytes. */
export function aLargeSummary(): PlanSummary {
  const resources = Array.from({ length: 200 }, (_, index) => ({
    address: `module.${'桜'.repeat(190)}${String(index).padStart(3, '0')}`,
    action: 'create' as const,
  }));
  return { ...aPlan().summary, resources };
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
