import { afterEach, describe, expect, test } from '@jest/globals';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import type { RequestFor } from '@nereid/domain/intake';
import { readServerConfig } from '@nereid/config';
import { openObjectStore } from '@nereid/storage';
import { intakeStageOfThisFile } from '../../testing/intake-stage.ts';
import { BACKEND, type StagedRepository } from '../../testing/staged-repository.ts';

const ROOTS = { 'network/main.tf': BACKEND };

const STOP: RequestFor<'stop'> = {
  action: 'stop',
  for: '2h',
  reason: 'the registry is down',
  directories: ['net*'],
};
const THAW: RequestFor<'thaw'> = { action: 'thaw' };

const stage = intakeStageOfThisFile();

afterEach(() => stage.standIn.assertNoRefusedRequests());

const stopsOf = async ({ repository }: StagedRepository) => (await stage.context.stopRecords.read(repository)).stops;

/** A repository in which a deployment is under way, with or without permission to apply. */
async function underWay({ isApplied = false } = {}) {
  const infra = await stage.repository(ROOTS);
  const deployment = await stage.deployment();
  const waiting = aDeployment({ status: 'awaiting-review', plan: aPlan() });
  const root = { ...waiting.root, name: 'network', dir: 'network' };
  const revision = { ...waiting.revision, sha: await infra.head() };
  const running = { ...waiting, id: deployment.id, root, revision };
  await infra.review(running);
  if (isApplied) await infra.lane('network').mayApply(running);
  return { infra, deployment };
}

/** Of the repository itself, or of a part of it. */
async function breakRecord({ fullName }: StagedRepository, folder: string, part = '') {
  const store = await openObjectStore(stage.storage);
  await store.put(`${folder}/${fullName}${part}.json`, Buffer.from('{'));
  store.close();
}

/** The server with other repositories in its file. */
function serverOf(repositories: string) {
  const { storage } = stage;
  const read = readServerConfig(
    `repositories: [${repositories}]\nstorage: { deployments: "${storage}", plans: "${storage}", logs: "${storage}" }`,
  );
  if (read.kind === 'invalid') throw new Error(JSON.stringify(read.problems));
  return { current: () => ({ ...stage.context.server.current(), repositories: read.config.repositories }) };
}

describe('a stop', () => {
  test('is signed and stored with its person, reason and end, and its answer names the applies that go on', async () => {
    const { infra } = await underWay({ isApplied: true });

    const result = await stage.ask(infra, STOP, { sender: 'ada', delivery: 'request-1' });

    expect(result).toMatchObject({
      kind: 'signalled',
      sentence: expect.stringMatching(
        /^@ada stopped .*, in net\* until .* UTC; these applies go on, or begin .*: network$/,
      ),
    });
    const [stop] = await stopsOf(infra);
    const { owner, name } = infra.repository;
    await expect(
      stage.context.signatures.open('decision/stop', stop, { repository: { owner, name } }),
    ).resolves.toMatchObject({
      body: { requestId: 'request-1', by: 'ada', reason: 'the registry is down', directories: ['net*'] },
    });
    const { at = '', until = '' } = stop?.body ?? {};
    expect(Date.parse(until) - Date.parse(at)).toBe(7_200_000);
    expect(result.userActions?.map(({ body }) => body.action)).toEqual([
      { action: 'stop', rootNames: [], reason: 'the registry is down' },
    ]);
  });

  test('names nothing that it holds, such as a plan that waits for a review', async () => {
    const { infra } = await underWay();

    expect(await stage.ask(infra, STOP, { sender: 'ada' })).toMatchObject({
      kind: 'signalled',
      sentence: expect.stringMatching(/ UTC; no apply runs, and none has permission to begin$/),
    });
  });

  test('takes directories as shells complete them', async () => {
    const { infra } = await underWay();

    const result = await stage.ask(
      infra,
      { ...STOP, directories: ['network/', './network/**/', '*'] },
      { sender: 'ada' },
    );

    expect(result).toMatchObject({
      sentence: expect.stringMatching(/, in network, network\/\*\*, \*\* until .* none has permission to begin$/),
    });
    expect((await stopsOf(infra))[0]?.body.directories).toEqual(['network', 'network/**', '**']);
  });

  test('of directories in which nothing was deployed says so', async () => {
    const { infra } = await underWay();

    expect(await stage.ask(infra, { ...STOP, directories: ['prod'] }, { sender: 'ada' })).toMatchObject({
      kind: 'signalled',
      sentence: expect.stringMatching(/ UTC; no root that was deployed so far is there: check the directories$/),
    });
  });

  test('says what runs, and that it does not know all, where the record of a lane is broken', async () => {
    const { infra } = await underWay({ isApplied: true });
    await breakRecord(infra, 'lanes', '/broken');

    expect(await stage.ask(infra, STOP, { sender: 'ada' })).toMatchObject({
      sentence: expect.stringMatching(/: network; not all of its roots could be looked at, so more may run/),
    });
  });

  test('while its stops cannot be read is refused, and the record stays', async () => {
    const infra = await stage.repository(ROOTS);
    await breakRecord(infra, 'stops');

    expect(await stage.ask(infra, STOP, { sender: 'ada' })).toMatchObject({
      kind: 'refused',
      sentence: 'its stops cannot be read, so nothing of it begins; thaw it, and stop it anew',
    });
    await expect(stopsOf(infra)).rejects.toHaveProperty('code', 'BROKEN_RECORD');
  });

  test.each(['name:prod', 'prod/**'])('has to meet the rule of the root %s', async (match) => {
    const infra = await stage.repository(ROOTS);
    const rules = `{ match: "acme/*", roots: { "${match}": { permissions: { stop: { users: [bob] }, thaw: { users: [bob] } } } } }`;
    const server = serverOf(rules);

    for (const request of [STOP, THAW])
      expect(await stage.ask(infra, request, { sender: 'ada', server })).toMatchObject({
        kind: 'refused',
        sentence: expect.stringContaining('it takes one of bob'),
      });
    expect(await stopsOf(infra)).toEqual([]);
  });

  test('that is asked for twice is one', async () => {
    const infra = await stage.repository(ROOTS);
    await stage.ask(infra, STOP, { sender: 'ada', delivery: 'request-2' });
    await stage.ask(infra, STOP, { sender: 'ada', delivery: 'request-2' });

    expect(await stopsOf(infra)).toHaveLength(1);
  });

  test.each([
    ['by a person who may only write', STOP, 'wim', '@wim may not stop the deployments of this repository'],
    [
      'for longer than a week',
      { ...STOP, for: '8d' },
      'ada',
      'expected a time from 1m to 7d for a stop, like 2h, found 8d',
    ],
    [
      'of too many directories',
      { ...STOP, directories: Array.from({ length: 21 }, (_, n) => `d${n}`) },
      'ada',
      'found 21: use',
    ],
    ['of a directory from the root', { ...STOP, directories: ['/prod'] }, 'ada', 'found "/prod": write them without a'],
    ['of a root by name', { ...STOP, directories: ['name:prod'] }, 'ada', 'found "name:prod": write them without'],
    [
      'for no time',
      { ...STOP, for: 'a while' },
      'ada',
      'expected a time from 1m to 7d for a stop, like 2h, found a while',
    ],
  ] as const)('%s is refused, and nothing is stored', async (_what, request, sender, sentence) => {
    const infra = await stage.repository(ROOTS);

    const result = await stage.ask(infra, request, { sender });

    expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining(sentence) });
    expect(await stopsOf(infra)).toEqual([]);
  });
});

test('a stop that somebody sends again after a thaw is not made again', async () => {
  const infra = await stage.repository(ROOTS);
  const receivedAt = new Date(Date.now() - 60_000).toISOString();
  await stage.ask(infra, STOP, { sender: 'ada', delivery: 'request-3', receivedAt });
  await stage.ask(infra, THAW, { sender: 'ada' });

  const again = await stage.ask(infra, STOP, { sender: 'ada', delivery: 'request-3', receivedAt });

  expect(again).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('was thawed after you asked') });
  expect(await stopsOf(infra)).toEqual([]);
});

describe('a thaw', () => {
  test('ends all stops of its repository, and rings what waits', async () => {
    const { infra, deployment } = await underWay();
    await stage.ask(infra, STOP, { sender: 'ada' });
    await stage.ask(infra, { ...STOP, directories: [] }, { sender: 'ada' });

    const result = await stage.ask(infra, THAW, { sender: 'ada' });

    expect(result).toMatchObject({ kind: 'signalled', sentence: expect.stringMatching(/^@ada ended all stops of/) });
    expect(await stopsOf(infra)).toEqual([]);
    expect((await deployment.signals()).map(([name]) => name)).toEqual(['ask-again']);
  });

  test('of a repository that nobody has stopped says so', async () => {
    const infra = await stage.repository(ROOTS);

    expect(await stage.ask(infra, THAW, { sender: 'ada' })).toMatchObject({
      kind: 'signalled',
      sentence: `@ada ended no stop, because there was none of ${infra.fullName}`,
    });
  });

  test('replaces a record that cannot be read, and says so', async () => {
    const infra = await stage.repository(ROOTS);
    await breakRecord(infra, 'stops');

    expect(await stage.ask(infra, THAW, { sender: 'ada' })).toMatchObject({
      kind: 'signalled',
      sentence: expect.stringContaining(', also those that could not be read: its deployments go on'),
    });
    expect(await stopsOf(infra)).toEqual([]);
  });

  test('rings what waits although the record of another lane is broken, and says that it did not reach all', async () => {
    const { infra, deployment } = await underWay();
    await breakRecord(infra, 'lanes', '/broken');

    expect(await stage.ask(infra, THAW, { sender: 'ada' })).toMatchObject({
      sentence: expect.stringMatching(/some could not be told, and look by themselves/),
    });
    expect((await deployment.signals()).map(([name]) => name)).toEqual(['ask-again']);
  });

  test('lifts no stop that came later, however often it is sent', async () => {
    const infra = await stage.repository(ROOTS);
    await stage.ask(infra, STOP, { sender: 'ada' });
    const receivedAt = new Date(Date.now() - 60_000).toISOString();

    await stage.ask(infra, THAW, { sender: 'ada', receivedAt });

    expect(await stopsOf(infra)).toHaveLength(1);
  });

  test('by a person who may only write is refused', async () => {
    const infra = await stage.repository(ROOTS);
    await stage.ask(infra, STOP, { sender: 'ada' });

    expect(await stage.ask(infra, THAW, { sender: 'wim' })).toMatchObject({ kind: 'refused' });
    expect(await stopsOf(infra)).toHaveLength(1);
  });
});
