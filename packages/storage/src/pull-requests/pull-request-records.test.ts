import { beforeEach, expect, test } from '@jest/globals';
import type { PullRequestRecord } from '@nereid/domain/pull-request';
import { BrokenRecordError } from '../errors.ts';
import { storeOfEachTest } from '../objects/testing/store-of-each-test.ts';
import { aDeployment } from '../testing.ts';
import { createPullRequestRecords, type PullRequestRecords } from './pull-request-records.ts';

const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };
const RECORD: PullRequestRecord = { version: 1, repository: REPOSITORY, number: 12, checkRuns: [] };

const store = storeOfEachTest();
let records: PullRequestRecords;

beforeEach(() => {
  records = createPullRequestRecords(store);
});

test('a pull request is absent, then as it was changed last', async () => {
  expect(await records.read(REPOSITORY, { number: 12 })).toBeUndefined();

  await records.change(REPOSITORY, { number: 12 }, () => RECORD);

  expect(await records.read(REPOSITORY, { number: 12 })).toEqual(RECORD);
  expect(await records.read(REPOSITORY, { number: 13 })).toBeUndefined();
});

test('a comment whose state nobody knows is a broken record, and no reason to write another one', async () => {
  const comment = { state: 'written', id: 5, digest: 'd', headSha: 'a'.repeat(40), at: '2026-01-02T03:04:05.000Z' };
  const writeState = (state: object) =>
    store.put(
      'pulls/acme/infra/12.json',
      Buffer.from(JSON.stringify({ ...RECORD, comment: { ...comment, ...state } })),
    );

  await writeState({});
  expect(await records.read(REPOSITORY, { number: 12 })).toMatchObject({ comment });
  await writeState({ state: 'lost' });
  await expect(records.read(REPOSITORY, { number: 12 })).rejects.toBeInstanceOf(BrokenRecordError);
});

test('a group of a merge queue is another one than the pull request that it ends with', async () => {
  const headSha = 'c'.repeat(40);
  const branch = `gh-readonly-queue/main/pr-12-${'b'.repeat(40)}`;
  const group = { ...RECORD, group: { headSha, branch, requestedAt: '2026-01-02T03:04:05.000Z' } };

  await records.change(REPOSITORY, { number: 12, group: headSha }, () => group);

  expect(await records.read(REPOSITORY, { number: 12, group: headSha })).toEqual(group);
  expect(await records.read(REPOSITORY, { number: 12 })).toBeUndefined();
});

test('changes at the same time all happen', async () => {
  await records.change(REPOSITORY, { number: 12 }, () => RECORD);
  const add = (id: number) =>
    records.change(REPOSITORY, { number: 12 }, (record) => ({
      ...RECORD,
      checkRuns: [...(record?.checkRuns ?? []), { id, completed: false }],
    }));

  await Promise.all([add(1), add(2), add(3)]);

  const ids = (await records.read(REPOSITORY, { number: 12 }))?.checkRuns.map(({ id }) => id) ?? [];
  expect(ids.toSorted()).toEqual([1, 2, 3]);
});

test('what changes nothing writes nothing', async () => {
  expect(await records.change(REPOSITORY, { number: 12 }, () => undefined)).toBeUndefined();
  expect(await store.get('pulls/acme/infra/12.json')).toBeUndefined();
});

test('a record that is cut off is named', async () => {
  await store.put('pulls/acme/infra/12.json', Buffer.from('{"version":1,'));

  await expect(records.read(REPOSITORY, { number: 12 })).rejects.toThrow('pulls/acme/infra/12.json');
});

test('the pull requests of a root are found, the newest first, until they forget it', async () => {
  for (const number of [9, 100, 12]) await records.remember(REPOSITORY, 'network', number);
  await records.remember(REPOSITORY, 'network-2', 7);
  await records.remember(REPOSITORY, 'network-2', 9);
  await records.remember({ ...REPOSITORY, name: 'infra-2' }, 'network', 3);

  expect(await records.withRoot(REPOSITORY, 'network', 10)).toEqual([100, 12, 9]);
  expect(await records.withRoot(REPOSITORY, 'network', 2)).toEqual([100, 12]);
  expect(await records.withRoots(REPOSITORY)).toEqual(new Set([100, 12, 9, 7]));
  await records.forget(REPOSITORY, 'network', 12);
  expect(await records.withRoot(REPOSITORY, 'network', 10)).toEqual([100, 9]);
  await records.forgetAll(REPOSITORY, 9);
  expect(await records.withRoots(REPOSITORY)).toEqual(new Set([100, 7]));
});

test('previews of earlier days are found, the oldest first, until they are removed', async () => {
  const preview = (id: string, receivedAt: string) => {
    const deployment = aDeployment({ id, receivedAt });
    return records.openPreview({ version: 1, repository: REPOSITORY, deployment });
  };
  await preview('third', '2026-03-03T00:00:00.000Z');
  await preview('second', '2026-03-02T23:59:59.000Z');
  await preview('first', '2026-03-01T12:00:00.000Z');
  const idsBefore = async (day: string, limit = 10) =>
    (await records.previewsBefore(new Date(day), limit)).map(({ id }) => id);

  expect(await idsBefore('2026-03-03T18:00:00.000Z')).toEqual(['first', 'second']);
  expect(await idsBefore('2026-03-03T18:00:00.000Z', 1)).toEqual(['first']);
  for (const place of await records.previewsBefore(new Date('2026-03-02'), 10)) await records.removePreview(place);

  expect(await idsBefore('2026-03-04T00:00:00.000Z')).toEqual(['second', 'third']);
  expect(await records.readPreview(REPOSITORY, 'network', 'first')).toBeUndefined();
});
