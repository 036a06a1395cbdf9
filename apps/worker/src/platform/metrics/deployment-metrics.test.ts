import { expect, test } from '@jest/globals';
import type { DeploymentRecord, Progress } from '@nereid/domain/deployment';
import { Registry } from 'prom-client';
import { measureDeployments } from './deployment-metrics.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 25, 12, minute)).toISOString();

async function linesAfter(progress: Pick<Progress, 'status' | 'times'>, name: string): Promise<readonly string[]> {
  const registry = new Registry();
  // Only these fields are counted.
  const deployment = { trigger: 'merge', progress } as DeploymentRecord['deployment'];
  measureDeployments(registry)({ deployment });
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith(name));
}

test('deployments are counted by trigger and status, zero before the first', async () => {
  const lines = await linesAfter({ status: 'apply-outcome-unknown', times: {} }, 'nereid_deployments_total');

  expect(lines).toContain('nereid_deployments_total{trigger="merge",status="apply-outcome-unknown"} 1');
  expect(lines).toContain('nereid_deployments_total{trigger="manual",status="apply-outcome-unknown"} 0');
});

test('each phase takes until the next one begins', async () => {
  const times = {
    queued: at(0),
    preparing: at(1),
    planning: at(3),
    'awaiting-review': at(6),
    applying: at(10),
    succeeded: at(15),
  };

  const lines = await linesAfter({ status: 'succeeded', times }, 'nereid_deployment_phase_seconds_sum');

  expect(lines.map((line) => /phase="(.*)"} (.*)/.exec(line)?.slice(1))).toEqual([
    ['queue', '60'],
    ['host', '120'],
    ['plan', '180'],
    ['review', '240'],
    ['apply', '300'],
  ]);
});

test('phases that a deployment never reached, or whose times make no sense, are left out', async () => {
  const times = { queued: at(0), preparing: at(5), planning: at(4), 'plan-failed': at(9) };

  const lines = await linesAfter({ status: 'plan-failed', times }, 'nereid_deployment_phase_seconds_count');

  const counted = lines.filter((line) => line.endsWith(' 1'));
  expect(counted.map((line) => /phase="(.*)"/.exec(line)?.[1])).toEqual(['queue', 'plan']);
});
