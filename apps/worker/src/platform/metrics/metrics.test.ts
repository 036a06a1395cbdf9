import { expect, test } from '@jest/globals';
import type { Audit } from '@nereid/audit';
import type { CountedRequest } from '@nereid/github';
import { Registry } from 'prom-client';
import { createMetrics } from './metrics.ts';
import { measureSteps } from './step-metrics.ts';

const ROUTE = 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}';

const HOUR_MS = 3_600_000;

function aRequest(changes: Partial<CountedRequest> = {}): CountedRequest {
  const request = { route: ROUTE, status: 200, durationMs: 250, installation: '1', budget: undefined, limited: false };
  return { ...request, ...changes };
}

const left = (remaining: number, resetsInMs = HOUR_MS) => ({ remaining, resetsAtMs: Date.now() + resetsInMs });

/** The lines of a metric, as Prometheus reads them. */
async function read(name: string, requests: readonly CountedRequest[]): Promise<readonly string[]> {
  const metrics = createMetrics();
  for (const request of requests) metrics.github.onRequest(request);
  return (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith(name));
}

test('requests to GitHub are counted by route and status', async () => {
  const requests = [aRequest(), aRequest(), aRequest({ status: 502 })];

  expect(await read('nereid_github_requests_total', requests)).toEqual([
    `nereid_github_requests_total{route="${ROUTE}",status="200"} 2`,
    `nereid_github_requests_total{route="${ROUTE}",status="502"} 1`,
  ]);
});

test('how long they took is kept by route', async () => {
  const lines = await read('nereid_github_request_seconds', [aRequest({ durationMs: 250 })]);

  expect(lines).toContain(`nereid_github_request_seconds_bucket{le="0.1",route="${ROUTE}"} 0`);
  expect(lines).toContain(`nereid_github_request_seconds_bucket{le="0.3",route="${ROUTE}"} 1`);
});

test('limits that were met are counted, permissions that are missing are not', async () => {
  const requests = [aRequest({ status: 403, limited: true }), aRequest({ status: 403 })];

  expect(await read('nereid_github_limited_total', requests)).toEqual(['nereid_github_limited_total 1']);
});

test('the budget is that of the installation that has the fewest requests left', async () => {
  const requests = [
    aRequest({ installation: '1', budget: left(12) }),
    aRequest({ installation: '2', budget: left(4_000) }),
  ];

  expect(await read('nereid_github_budget_remaining', requests)).toEqual(['nereid_github_budget_remaining 12']);
});

test('a budget that was renewed since is not shown', async () => {
  const requests = [aRequest({ budget: left(12, -1) })];

  expect(await read('nereid_github_budget_remaining', requests)).toEqual(['nereid_github_budget_remaining Nan']);
});

test('requests that wait for the limits of GitHub are counted over all installations', async () => {
  const { github, registry } = createMetrics();
  const limits = { pointsLeft: 0, closedForMs: 0 };
  github.watchLimits(() => [
    { ...limits, installation: '1', waiting: 3, reserved: 40 },
    { ...limits, installation: '2', waiting: 2, reserved: 0 },
  ]);

  expect(await linesOf(registry, 'nereid_github_waiting_requests')).toEqual(['nereid_github_waiting_requests 45']);
});

const linesOf = async (registry: Registry, name: string) =>
  (await registry.metrics()).split('\n').filter((line) => line.startsWith(name));

test('attempts to store an event of the audit trail are counted by place, and fail as they did', async () => {
  const { measuredAudit, registry } = createMetrics();
  const [event] = [{}] as unknown as Parameters<Audit['record']>; // Nobody looks into it.
  const trail: Audit = { record: () => Promise.resolve(), close: () => undefined };
  const broken: Audit = { ...trail, record: () => Promise.reject(new Error('away')) };

  await measuredAudit({ name: 'storage', audit: trail }).audit.record(event);
  const { audit } = measuredAudit({ name: 'webhook:audit.example.org', audit: broken });
  await expect(audit.record(event)).rejects.toThrow('away');

  expect(await linesOf(registry, 'nereid_audit_events_total')).toEqual([
    'nereid_audit_events_total{place="storage",outcome="stored"} 1',
    'nereid_audit_events_total{place="storage",outcome="failed"} 0',
    'nereid_audit_events_total{place="webhook:audit.example.org",outcome="stored"} 0',
    'nereid_audit_events_total{place="webhook:audit.example.org",outcome="failed"} 1',
  ]);
});

test('the time of fetches is kept by outcome, and an outcome that never was is zero', async () => {
  const { onFetch, registry } = createMetrics();

  onFetch({ outcome: 'failed', durationMs: 1_500 });

  expect(await linesOf(registry, 'nereid_mirror_fetch_seconds_sum')).toEqual([
    'nereid_mirror_fetch_seconds_sum{outcome="ok"} 0',
    'nereid_mirror_fetch_seconds_sum{outcome="gone"} 0',
    'nereid_mirror_fetch_seconds_sum{outcome="stopped"} 0',
    'nereid_mirror_fetch_seconds_sum{outcome="failed"} 1.5',
  ]);
});

test('the time of steps is kept by step, of all policies together', async () => {
  const registry = new Registry();
  const onStep = measureSteps(registry);

  for (const step of ['plan', 'the policy tags', 'the policy costs']) onStep(step, 2_000);

  expect(await linesOf(registry, 'nereid_host_step_seconds_sum')).toEqual([
    'nereid_host_step_seconds_sum{step="plan"} 2',
    'nereid_host_step_seconds_sum{step="policy"} 4',
  ]);
});

test('forged messages of each kind are there from the start, so that the first one is an increase', async () => {
  const { forged, registry } = createMetrics();

  forged.inc({ kind: 'order/deploy' });

  const lines = await linesOf(registry, 'nereid_forged_total');
  expect(lines).toContain('nereid_forged_total{kind="order/deploy"} 1');
  expect(lines).toContain('nereid_forged_total{kind="claim/host"} 0');
});
