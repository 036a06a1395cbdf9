import { DEFAULT_POOL } from '@nereid/domain/root';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeAppKey, startGitHub, type GitHubStandIn } from '@nereid/github-stand-in';
import {
  createAuditTrail,
  createDeploymentRecords,
  createHostRecords,
  createJobLogs,
  createLaneRecords,
  openObjectStore,
  type ObjectStore,
} from '@nereid/storage';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { makeFolders } from '../stack/folders.ts';
import { openStorage } from '../stack/storage.ts';
import { ensureHistory } from './ensure-history.ts';

const NOW_MS = Date.parse('2026-11-25T17:30:00.000Z');

const folder = folderOfThisFile();
let github: GitHubStandIn;
let store: ObjectStore;
let ensure: () => Promise<'created' | 'found'>;

beforeAll(async () => {
  const folders = await makeFolders(folder);
  const { privateKey } = makeAppKey();
  github = await startGitHub({
    dataDir: folders.github,
    app: { id: 1, slug: 'nereid', key: privateKey },
    // Nobody listens there, and nobody is told of the past.
    webhook: { url: 'http://127.0.0.1:9/', secret: 'webhook-secret' },
  });
  const storage = await openStorage('folder', { folders, env: {}, report: () => undefined });
  store = await openObjectStore(`file:${folders.storage}`);
  ensure = () => ensureHistory({ github, storage }, NOW_MS);
  await ensure();
});

afterAll(async () => {
  store.close();
  await github.close();
});

test('each lane says what is deployed, and that is a commit on GitHub which people can look at', async () => {
  const laneRecords = createLaneRecords(store);
  const lanes = await allOf(laneRecords.list());
  expect(lanes).toHaveLength(40);

  for (const lane of lanes) {
    const record = (await laneRecords.read(lane, lane.rootName))?.record;
    const heads = github.pullRequests(`${lane.owner}/${lane.name}`).map(({ headSha }) => headSha);
    expect(heads).toContain(record?.latest?.revision);
  }
});

test('a deployment has its record, and the logs of its jobs', async () => {
  const [record] = await createDeploymentRecords(store).latest({ owner: 'acme', name: 'data' }, 'warehouse', 1);
  const { plan, apply } = record?.deployment.progress.jobs ?? {};

  expect(record?.deployment.progress.status).toBe('apply-failed');
  for (const job of [plan, apply])
    expect(
      await createJobLogs(store)
        .of(DEFAULT_POOL)
        .reader(job?.id ?? '')
        .size(),
    ).toMatchObject({ isComplete: true });
});

test('the trail has events of each working day', async () => {
  const trail = createAuditTrail(store);

  for (const day of ['2026-11-19', '2026-11-20', '2026-11-23', '2026-11-24', '2026-11-25'])
    expect(await trail.read(day)).not.toEqual([]);
});

test('the host of the apply whose outcome is unknown is away', async () => {
  const [host, ...others] = await createHostRecords(store).list(() => undefined);
  const [unknown] = await createDeploymentRecords(store).latest({ owner: 'acme', name: 'edge' }, 'cdn', 1);

  expect(others).toEqual([]);
  expect(unknown?.deployment.progress).toMatchObject({ status: 'apply-outcome-unknown', hostId: host?.hostId });
  expect(Date.parse(host?.at ?? '')).toBeLessThan(NOW_MS - 60_000);
});

test('nobody is told of it by a webhook', async () => {
  await github.settled();

  expect(github.deliveries()).toEqual([]);
});

test('it is written once', async () => {
  const before = await allOf(store.list('deployments/'));

  expect(await ensure()).toBe('found');
  expect(await allOf(store.list('deployments/'))).toEqual(before);
});

async function allOf<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}
