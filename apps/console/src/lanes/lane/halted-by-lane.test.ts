import { expect, test } from '@jest/globals';
import { describeWave } from '@nereid/domain/gates';
import type { FleetLane } from '../../fleet/fleet-lane.ts';
import { aFleetDeployment, aFleetLane, anUndeployed, latestAs } from '../../fleet/testing.ts';
import { haltOf } from './halted-by-lane.ts';

const { revision } = aFleetDeployment();
const FAILED = aFleetLane({ rootName: 'edge-1', latest: { ...latestAs('apply-failed'), revision: revision.sha } });

/** It waits for a wave that `edge-1` halts. */
function halted(rootName: string, more: Partial<FleetLane> = {}): FleetLane {
  const standing = { kind: 'halted', rootName: 'edge-1', how: 'failed to apply' } as const;
  const reason = describeWave({ name: 'canary', number: 1, of: 2, standing });
  const waitsFor = { gate: 'soak', who: ['rerun', 'skip_soak'], wave: 1 } as const;
  return aFleetLane({ rootName, running: aFleetDeployment({ status: 'blocked', reason, waitsFor }), ...more });
}

test('a failed apply halts all roots of its repository that wait for its wave', () => {
  const lanes = [FAILED, halted('edge-2'), halted('edge-3'), halted('edge-4', { name: 'other' })];

  expect(haltOf(lanes, FAILED)).toEqual({ roots: 2, deploymentId: 'd0' });
});

test('so does a plan that failed', () => {
  const left = anUndeployed(1, { deploymentId: 'd7', revision });
  const lane = aFleetLane({ rootName: 'edge-1', undeployed: [left] });

  expect(haltOf([lane, halted('edge-2')], lane)).toEqual({ roots: 1, deploymentId: 'd7' });
});

test('a deployment of which its lane knows nothing has no id', () => {
  const lane = aFleetLane({ rootName: 'edge-1' });

  expect(haltOf([lane, halted('edge-2')], lane)).toEqual({ roots: 1 });
});

test('a root for which nothing waits halts nothing', () => {
  const open = { ...aFleetDeployment({ status: 'blocked' }), reason: 'waits for wave 1 of 2 (canary): edge-1' };
  const waiting = aFleetLane({ rootName: 'edge-2', running: { ...open, waitsFor: { gate: 'soak', who: [] } } });

  expect(haltOf([FAILED, waiting], FAILED)).toBeUndefined();
  expect(haltOf([FAILED, halted('edge-2')], aFleetLane({ rootName: 'dns' }))).toBeUndefined();
});
