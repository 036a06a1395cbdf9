/** Lanes for tests of what is said and shown of them. */
import type { Lock } from '@nereid/domain/deployment';
import type { Latest, Undeployed } from '@nereid/domain/lane';
import { deploymentAt, shaAt } from '@nereid/domain/testing';
import { briefly, type FleetDeployment, type FleetLane } from './fleet-lane.ts';

export const AT = '2026-11-22T12:00:00.000Z';

export function aFleetLane(more: Partial<FleetLane> = {}): FleetLane {
  return { owner: 'acme', name: 'infra', rootName: 'network', waiting: [], undeployed: [], stamp: '1', ...more };
}

export function aFleetDeployment(more: Partial<FleetDeployment> = {}): FleetDeployment {
  return { ...briefly(deploymentAt(1)), ...more };
}

export function lockOf(kind: Lock['kind']): Lock {
  return { kind, deploymentId: 'd0', revision: 'a'.repeat(40), by: 'bob', at: AT };
}

export function latestAs(status: Latest['status'], branchPosition = 0): Latest {
  return { deploymentId: 'd0', revision: 'a'.repeat(40), trigger: 'merge', at: AT, status, branchPosition };
}

export function anUndeployed(position: number, more: Partial<Undeployed> = {}): Undeployed {
  return {
    deploymentId: `left-${position}`,
    revision: { sha: shaAt(position), position, title: `Change ${position}` },
    ...{ trigger: 'merge', rerun: false, requestedBy: 'alice', status: 'plan-failed', at: AT },
    ...more,
  };
}
