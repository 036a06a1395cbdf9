/** The pods of the chart run on a node: a merge becomes an apply in a sandbox, through an upgrade of the chart and a drain of the node. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TAGS } from './cluster-images.ts';
import { forward } from './forward.ts';
import { prepareInstallation, type Installation } from './installation.ts';
import { prepareMachine } from './machine.ts';
import { GATEWAY, startMerges, type Merges } from './merges.ts';
import { startServices } from './services.ts';
import { NODE, startCluster, type Cluster } from './start-cluster.ts';

/** Three minutes; beside others many times that. */
const WITHIN_MS = 20 * 60_000;

const [FIRST, SECOND] = TAGS;
/** The components that the chart has pods for. */
const PODS = ['console', 'control', 'gateway', 'host', 'seccomp'];

const ADDED = 'Applied: 1 added, 0 changed, 0 destroyed';
const REPLACED = 'Applied: 1 added, 0 changed, 1 destroyed';

const opened = new AsyncDisposableStack();
let folder: string;
let cluster: Cluster;
let installation: Installation;
let merges: Merges;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cluster-'));
  await prepareMachine(folder, process.env);
  opened.use(await startServices(folder, process.env));
  cluster = await startCluster(folder, process.env);
  opened.defer(() => cluster.stop());
  installation = await prepareInstallation(cluster, folder);
  merges = opened.use(await startMerges(folder, installation.keys));
}, WITHIN_MS);

afterAll(() => opened.disposeAsync(), WITHIN_MS);

test(
  'the chart installs: each pod becomes ready',
  async () => {
    await installation.helm('install', FIRST);
    opened.use(await forward(GATEWAY, { host: await installation.addressOf('nereid-gateway'), port: 80 }));

    expect(await installation.readyPods()).toEqual(PODS);
  },
  WITHIN_MS,
);

test(
  'the doctor finds nothing wrong in a pod, with the line of the guide',
  async () => {
    const line = ['exec', 'statefulset/nereid-control', '--', 'node', 'apps/worker/src/doctor/main.ts'];

    expect(await cluster.kubectl(['--namespace', 'nereid', ...line])).toMatch('The worker can work');
  },
  WITHIN_MS,
);

test(
  'a merge is planned in the sandbox of a pod, and is applied after a Confirm',
  async () => {
    const revision = await merges.plan(1);

    expect(await merges.confirm(revision)).toBe(ADDED);
  },
  WITHIN_MS,
);

test(
  'a plan that waits for its Confirm is applied by the pods of the next images',
  async () => {
    const revision = await merges.plan(2);

    await installation.helm('upgrade', SECOND);

    expect(await installation.readyPods()).toEqual(PODS);
    expect(await merges.confirm(revision)).toBe(REPLACED);
  },
  WITHIN_MS,
);

test(
  'a plan that waits for its Confirm is applied after its node was emptied, and has pods again',
  async () => {
    const revision = await merges.plan(3);

    await cluster.kubectl(['drain', NODE, '--ignore-daemonsets', '--delete-emptydir-data'], WITHIN_MS);
    expect(await installation.readyPods()).toEqual(['seccomp']);
    await cluster.kubectl(['uncordon', NODE]);
    await installation.isReady();

    expect(await merges.confirm(revision)).toBe(REPLACED);
    expect(await readFile(path.join(installation.resources, 'applied'), 'utf8')).toBe('1\n2\n3\n');
  },
  WITHIN_MS,
);
