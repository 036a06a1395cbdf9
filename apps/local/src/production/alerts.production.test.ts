/** A real Prometheus reads the metrics of the whole stack, and its alerts fire in the faults that they are for. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { laneWorkflowId } from '@nereid/domain/lane';
import { CONTROL_QUEUE, RECONCILE_SCHEDULE, WATCH_SCHEDULE, WORKFLOW } from '@nereid/domain/temporal-names';
import { freePort } from '@nereid/test-kit';
import {
  dashboardQueries,
  findPrometheus,
  metricsIn,
  readAlerts,
  startPrometheus,
  type Prometheus,
} from '@nereid/test-kit/prometheus';
import { Client, Connection } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openTerrain, until, type Terrain } from '../faults/terrain.ts';
import { SAMPLE, SAMPLE_NAME } from '../sample/repository.ts';
import { logFileOf } from '../stack/processes.ts';
import { impatientRules } from './impatient-rules.ts';

/** A host that is dead is noticed by its heartbeats: after a minute, or two in a row. */
jest.setTimeout(600_000);

let terrain: Terrain;
let prometheus: Prometheus;
let connection: Connection;
let client: Client;
const opened = new AsyncDisposableStack();

beforeAll(async () => {
  const tools = await findPrometheus(process.env, () => undefined);
  const [gateway, console, host] = [await anAddress(), await anAddress(), await anAddress()];
  terrain = await openTerrain(process.env, {
    hasHostAlone: true,
    environments: {
      gateway: { METRICS_ADDRESS: gateway },
      console: { METRICS_ADDRESS: console },
      'worker-2': { METRICS_ADDRESS: host },
    },
  });
  opened.defer(() => terrain.close());
  connection = await Connection.connect({ address: terrain.stack.temporalAddress });
  opened.defer(() => connection.close());
  client = new Client({ connection });
  const folder = path.join(terrain.stack.folders.top, 'prometheus');
  const rules = path.join(terrain.stack.folders.top, 'nereid.rules.yml');
  await writeFile(rules, await impatientRules());
  prometheus = await startPrometheus({
    prometheus: tools.prometheus,
    folder,
    ruleFiles: [rules],
    targets: {
      'nereid-gateway': [gateway],
      'nereid-console': [console],
      'nereid-worker': [new URL(terrain.stack.urls.metrics).host, host],
    },
  });
  opened.use(prometheus);
});

afterAll(() => opened.disposeAsync());

async function anAddress(): Promise<string> {
  return `127.0.0.1:${await freePort()}`;
}

/** Prometheus reads no more often. */
const LOOKS_MS = 3_000;

/** Does something that often at most, however often it is asked for. */
function seldom(act: () => Promise<unknown>): () => Promise<void> {
  let actedAt = -Infinity;
  return async () => {
    if (performance.now() - actedAt < LOOKS_MS) return;
    actedAt = performance.now();
    await act();
  };
}

/** What waits is counted once a minute; this look is one more. */
const watchAgain = seldom(() => client.schedule.getHandle(WATCH_SCHEDULE).trigger());

/** It asks GitHub for every repository. */
const reconcile = seldom(() => client.schedule.getHandle(RECONCILE_SCHEDULE).trigger());

function fires(alert: string, act: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  return firing(`${alert} to fire`, (alerts) => alerts.includes(alert), act);
}

function isOver(alert: string, act?: () => Promise<void>): Promise<void> {
  return firing(`the end of ${alert}`, (alerts) => !alerts.includes(alert), act);
}

async function firing(
  what: string,
  isSo: (alerts: readonly string[]) => boolean,
  act: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  let alerts: readonly string[] = [];
  await until(
    what,
    async () => {
      await act();
      alerts = await prometheus.firing();
      return isSo(alerts);
    },
    () => `that these fire: ${alerts.join(', ')}`,
  );
}

test('the processes tell every metric that an alert or the dashboard asks for, with the labels that select it', async () => {
  await until('all processes to be read', async () => (await prometheus.query('up == 1')).length === PROCESSES);
  // What waits is only told while something waits.
  const sha = await terrain.push('network', 'told');
  await terrain.scene.planned({ root: 'network', sha });
  await fetch(terrain.stack.urls.console);
  // A workflow that nobody knows fails its task: that metric of the SDK is not there before.
  const unknown = await client.workflow.start('unknown', { workflowId: 'unknown', taskQueue: CONTROL_QUEUE });
  await isTold('temporal_workflow_task_execution_failed_total');
  await unknown.terminate();
  // A worker looks at its disk once a minute.
  await isTold('nereid_disk_kept_bytes');
  await isTold('nereid_deployments_under_way', watchAgain);

  const queries = [...(await readAlerts()).map(({ expr }) => expr), ...(await dashboardQueries())];
  const names = await namesTold();
  const asked = [...new Set(queries.flatMap(metricsIn))].filter((name) => name !== 'ALERTS');
  const missing = asked.filter((name) => !names.has(name));
  const selectors = [...new Set(queries.flatMap(selectorsIn))];
  const found = await Promise.all(selectors.map((selector) => prometheus.query(selector)));

  // The local stack does not look for what its sandboxes reach.
  expect(missing).toEqual(['nereid_sandbox_reaches']);
  expect(selectors.filter((_selector, index) => found[index]?.length === 0)).toEqual([
    'nereid_sandbox_reaches{target!=""}',
  ]);
  await terrain.confirm('network', sha);
  await terrain.applied('network', sha);
});

/** Gateway, console, control, and a host. */
const PROCESSES = 4;

const isTold = (name: string, act: () => Promise<void> = () => Promise.resolve()) =>
  until(`the metric ${name}`, async () => {
    await act();
    return (await prometheus.query(name)).length > 0;
  });

/** Without the suffixes of a histogram's series. */
async function namesTold(): Promise<ReadonlySet<string>> {
  const told = await prometheus.query('group by (__name__) ({__name__=~".+"})');
  return new Set(told.map(({ metric }) => (metric['__name__'] ?? '').replace(/_(bucket|count|sum)$/, '')));
}

/** For each label by which a query selects, a selector of all series that have it: `up{job!=""}`. */
function selectorsIn(query: string): readonly string[] {
  return Array.from(query.matchAll(/(?<name>\w+)\{(?<matchers>[^}]+)\}/g)).flatMap(({ groups }) => {
    const { name = '', matchers = '' } = groups ?? {};
    if (name === 'ALERTS') return [];
    return Array.from(matchers.matchAll(/(?<label>\w+)(=~|!~|!=|=)"/g), (matcher) => {
      const label = matcher.groups?.['label'] ?? '';
      return `${name}{${label}!=""}`;
    });
  });
}

test('no alert fires while all is well', async () => {
  await firing('no alert', (alerts) => alerts.length === 0, watchAgain);
});

test('a person who is asked for too long is an alert, and a line of the log says why the root waits', async () => {
  const sha = await terrain.push('network', 'asked');
  const { externalId } = await terrain.scene.planned({ root: 'network', sha });

  await fires('NereidPeopleAwaited', watchAgain);

  const states = (await logLines()).filter(
    ({ msg, deployment }) => msg === 'deployment state' && deployment === externalId,
  );
  expect(states.at(-1)).toMatchObject({
    repository: 'acme/infra',
    root: 'network',
    revision: sha,
    status: 'awaiting-review',
    since: expect.stringMatching(/^\d{4}-/),
    sentence: expect.stringMatching(/^Plan: /),
  });
  await terrain.confirm('network', sha);
  await terrain.applied('network', sha);
  await isOver('NereidPeopleAwaited', watchAgain);
});

async function logLines(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const text = await readFile(logFileOf(terrain.stack.folders, 'worker'), 'utf8');
  // The last line may be half written.
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

test('a GitHub that fails is an alert', async () => {
  const heal = terrain.stack.github.faults.add({ kind: 'failure', status: 502, route: /^(GET|POST|PATCH) \/repos/ });
  const sha = await terrain.push('network', 'failing-github');

  await fires('NereidGitHubFails');

  heal();
  await terrain.confirm('network', sha);
  await terrain.applied('network', sha);
  await isOver('NereidGitHubFails');
});

test('storage that is away is an alert', async () => {
  const { storage } = terrain.stack.folders;
  await rename(storage, `${storage}-away`);
  await writeFile(storage, 'not a folder');

  await fires('NereidStorageFails');

  await rm(storage);
  await rename(`${storage}-away`, storage);
  await isOver('NereidStorageFails');
});

test('an audit trail that cannot be written is an alert, and nothing is applied meanwhile', async () => {
  const trail = path.join(terrain.stack.folders.storage, 'audit.jsonl');
  const sha = await terrain.push('network', 'unaudited');
  await terrain.scene.planned({ root: 'network', sha });
  await rename(trail, `${trail}-away`);
  await mkdir(trail);

  await terrain.confirm('network', sha);
  await fires('NereidAuditFails');

  expect(await terrain.ledger()).not.toContain('unaudited');
  await rmdir(trail);
  await rename(`${trail}-away`, trail);
  await terrain.applied('network', sha);
  await isOver('NereidAuditFails');
});

test('a host that is away is an alert, and so is a deployment that waits for one', async () => {
  await terrain.stack.holdDown('worker-2');

  await Promise.all([fires('NereidProcessDown'), fires('NereidNoHost')]);
  const sha = await terrain.push('network', 'no-host');
  await fires('NereidHostAwaited', watchAgain);

  await terrain.stack.letUp('worker-2');
  await terrain.confirm('network', sha);
  await terrain.applied('network', sha);
  await Promise.all(['NereidProcessDown', 'NereidNoHost'].map((alert) => isOver(alert)));
  await isOver('NereidHostAwaited', watchAgain);
});

test('a GitHub that does not accept the key of the App is an alert', async () => {
  const heal = terrain.stack.github.faults.add({ kind: 'refusal', status: 401 });

  await fires('NereidGitHubDenies', reconcile);

  heal();
  await isOver('NereidGitHubDenies');
});

test('webhooks that are all refused are an alert', async () => {
  const headers = {
    'Content-Type': 'application/json',
    'X-GitHub-Delivery': randomUUID(),
    'X-GitHub-Event': 'push',
    'X-Hub-Signature-256': `sha256=${'0'.repeat(64)}`,
  };
  const request = { method: 'POST', headers, body: '{}' };
  const refused = seldom(() => Promise.all([1, 2, 3].map(() => fetch(terrain.stack.urls.webhooks, request))));

  await fires('NereidWebhooksRefused', refused);

  await isOver('NereidWebhooksRefused');
});

test('events that no gateway signed are an alert', async () => {
  const repository = { ...SAMPLE, installationId: 1 };
  const event = { kind: 'push', repository, branch: 'main', before: '1'.repeat(40), after: '2'.repeat(40) };
  const forge = seldom(async () => {
    const delivery = randomUUID();
    const input = { version: 1, delivery, receivedAt: new Date().toISOString() };
    await client.workflow.start(WORKFLOW.intake, {
      ...{ workflowId: `delivery/${delivery}`, taskQueue: CONTROL_QUEUE },
      args: [{ ...input, event: { ...event, forced: false, sender: 'bob' } }],
    });
  });

  await fires('NereidForged', forge);

  await isOver('NereidForged');
});

test('a record of a lane that is cut off is an alert', async () => {
  const sha = await terrain.push('network', 'unreadable');
  await terrain.scene.planned({ root: 'network', sha });
  const { storage, top } = terrain.stack.folders;
  const record = path.join(storage, 'lanes', SAMPLE_NAME, 'network.json');
  const kept = path.join(top, 'network.json');
  const text = await readFile(record, 'utf8');
  await rename(record, kept);
  await writeFile(record, text.slice(0, text.length / 2));

  await fires('NereidRecordUnreadable', watchAgain);

  await rename(kept, record);
  await isOver('NereidRecordUnreadable', watchAgain);
  await terrain.confirm('network', sha);
  await terrain.applied('network', sha);
});

test('a lane in which an apply has no end is an alert', async () => {
  const sha = await terrain.push('network', 'endless', { isHeld: true });
  await terrain.confirm('network', sha);
  await terrain.applyBegins('endless');
  const behind = await terrain.push('network', 'behind');

  await fires('NereidLaneWaits', watchAgain);

  await terrain.letEnd('endless');
  await terrain.confirm('network', behind);
  await terrain.applied('network', behind);
  await isOver('NereidLaneWaits', watchAgain);
});

test('a workflow whose task fails again and again is an alert', async () => {
  const workflowId = laneWorkflowId(SAMPLE, 'stuck');
  // Without its arguments it fails at its first line.
  const stuck = await client.workflow.start(WORKFLOW.deploy, { workflowId, taskQueue: CONTROL_QUEUE });

  await fires('NereidWorkflowsStuck', watchAgain);

  await stuck.terminate();
  await isOver('NereidWorkflowsStuck', watchAgain);
});

test('a watch that does not come is an alert', async () => {
  const schedule = client.schedule.getHandle(WATCH_SCHEDULE);
  await schedule.pause();
  // A worker tells what it has found for three minutes, unless it is started again.
  await terrain.stack.restart('worker');

  await fires('NereidWatchSilent');

  await schedule.unpause();
  await isOver('NereidWatchSilent', watchAgain);
});

test('a Temporal that is away is an alert, and so are the webhooks that it does not take', async () => {
  await terrain.stack.holdDown('temporal');

  await fires('NereidTemporalUnreachable');
  await terrain.push('network', 'unheard');
  await fires('NereidWebhooksNotTaken');

  await terrain.stack.letUp('temporal');
  await isOver('NereidTemporalUnreachable');
  await isOver('NereidWebhooksNotTaken');
});

test('an apply whose outcome nobody knows is an alert', async () => {
  const sha = await terrain.push('database', 'lost', { applySeconds: 600 });
  await terrain.confirm('database', sha);
  await terrain.applyBegins('lost');

  await terrain.stack.kill('worker-2');
  await terrain.killLeftovers();

  await fires('NereidApplyUnknown');
});
