import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import { BACKEND, type StagedRepository } from '../testing/staged-repository.ts';
import { reconcileBranch } from '../../reconcile/reconcile-branch.ts';

const ROOTS = { 'network/main.tf': BACKEND, 'database/main.tf': BACKEND, 'README.md': '' };

const stage = intakeStageOfThisFile();

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => stage.standIn.assertNoRefusedRequests());

function reconcile({ repository }: StagedRepository) {
  return reconcileBranch(stage.context, { repository, branch: 'main' }, new AbortController().signal);
}

/** The required check of a commit. */
async function passes({ repository }: StagedRepository, headSha: string): Promise<void> {
  const texts = { title: 'Passed', summary: '', actions: [] };
  const content = {
    name: 'test',
    headSha,
    externalId: '',
    status: 'completed',
    conclusion: 'success',
    ...texts,
  } as const;
  const { signal } = new AbortController();
  await stage.context.forge.status.present(repository, [], content, {
    creationUncertain: false,
    signal,
    begin: signal,
  });
}

function times<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

test('a push of 500 commits signals each root it touches once, with the head, and asks no more than one of one commit', async () => {
  const names = times(25, (index) => `root-${String(index).padStart(2, '0')}`);
  const infra = await stage.repository(Object.fromEntries(names.map((name) => [`${name}/main.tf`, BACKEND])));
  const start = await infra.head();
  const one = await infra.commit({ 'root-00/main.tf': `${BACKEND}# one` });
  await stage.deliver(infra.pushes(start, one));
  const after = await infra.pushAll(
    times(500, (index) => ({ path: `${names[index % 20]}/main.tf`, text: `${BACKEND}# ${index}` })),
  );
  stage.standIn.resetTraffic();

  const result = await stage.deliver(infra.pushes(one, after));
  const asked = stage.standIn
    .requestCounts()
    .filter(({ route }) => route.startsWith('git') || route.includes('commits'));

  expect(result.sentence).toBe('20 of 25 roots are modified');
  expect(result.workflows.toSorted()).toEqual(names.slice(0, 20).map((name) => infra.lane(name).id));
  const [deployment] = await infra.lane('root-01').holds(1);
  expect(deployment?.revision).toMatchObject({ sha: after, position: 502 });
  // Commits and contents, each with the question before it.
  expect(asked.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(6);
});

test("a push asks nothing of GitHub's API: git tells which branch is deployed, and has the commit", async () => {
  const infra = await stage.repository(ROOTS);
  const start = await infra.head();
  const before = await infra.commit({ 'network/main.tf': `${BACKEND}# first` });
  await stage.deliver(infra.pushes(start, before));
  const after = await infra.commit({ 'network/main.tf': `${BACKEND}# second` });
  stage.standIn.resetTraffic();

  await stage.deliver(infra.pushes(before, after));

  // The lanes show their check runs meanwhile.
  const asked = stage.standIn.requestCounts().filter(({ route }) => !route.includes('check-run'));
  expect(asked.map(({ route }) => route)).toEqual(['git upload-pack']);
});

describe('ten pushes within moments, whose webhooks come in any order and each twice', () => {
  async function tenPushes(infra: StagedRepository) {
    const commits = [await infra.head()];
    for (const change of times(10, String)) {
      commits.push(await infra.commit({ 'network/main.tf': `${BACKEND}# ${change}` }));
    }
    const events = commits.slice(1).map((after, index) => infra.pushes(commits[index] ?? '', after));
    const order = [6, 2, 9, 0, 4, 8, 1, 7, 3, 5, 2, 6, 5, 9, 3, 1, 0, 8, 7, 4];
    const all = events.map((event) => ({ event, delivery: randomUUID() }));
    const wanted = order.flatMap((index) => all[index] ?? []);
    return {
      shas: commits.slice(1),
      deliverAll: () => Promise.all(wanted.map(({ event, delivery }) => stage.deliver(event, { delivery }))),
    };
  }

  test('wait in the order of the branch while something runs, each once', async () => {
    const infra = await stage.repository(ROOTS);
    const before = await infra.head();
    const first = await infra.commit({ 'network/main.tf': `${BACKEND}# first` });
    await stage.deliver(infra.pushes(before, first));
    await infra.lane('network').holds(1);
    const { shas, deliverAll } = await tenPushes(infra);

    await deliverAll();

    const deployments = await infra.lane('network').holds(11);
    expect(deployments.map(({ revision }) => revision.sha)).toEqual([first, ...shas]);
  });

  test('lose none where nothing runs: the first to come runs, and the others wait in the order of the branch', async () => {
    const infra = await stage.repository(ROOTS);
    const { shas, deliverAll } = await tenPushes(infra);

    await deliverAll();

    const [running, ...waiting] = (await infra.lane('network').holds(10)).map(({ revision }) => revision.sha);
    expect(waiting).toEqual(shas.filter((sha) => sha !== running));
  });
});

test('ten pushes are taken in one attempt each while GitHub fails three requests of ten, git among them', async () => {
  const infra = await stage.repository(ROOTS);
  const shas: string[] = [];
  for (const change of times(10, String)) {
    const before = await infra.head();
    shas.push(await infra.commit({ 'network/main.tf': `${BACKEND}# ${change}` }));
    stage.standIn.faults.add({ kind: 'failure', status: 502, ofTen: 3 });
    await stage.deliver(infra.pushes(before, shas.at(-1) ?? ''));
    stage.standIn.faults.clear();
  }

  const deployments = await infra.lane('network').holds(10);
  expect(deployments.map(({ revision }) => revision.sha)).toEqual(shas);
});

test('the push that follows a merge queue deploys what its group brought, with the commit of the queue', async () => {
  const infra = await stage.repository(ROOTS);
  const rules = { requiredChecks: ['test'], mergeQueue: { groupSize: 2 } };
  await stage.standIn.setBranchRules(infra.fullName, 'main', rules);
  // The first is a group of its own, behind which the two others are one.
  for (const path of ['README.md', 'network/main.tf', 'database/main.tf']) {
    const { number, headSha } = await infra.pullRequest({ [path]: `${BACKEND}# changed` });
    await passes(infra, headSha);
    await stage.standIn.enqueue({ repository: infra.fullName, number }, 'wim');
  }
  const [first, group] = stage.standIn.queueOf(infra.fullName, 'main');
  if (!first || !group) throw new Error('two groups were expected');
  await passes(infra, first.headSha);
  await passes(infra, group.headSha);
  expect(await infra.head()).toBe(group.headSha);

  const event = { ...infra.pushes(first.headSha, group.headSha), sender: 'github-merge-queue[bot]' };
  const ofQueue = await stage.deliver(event);

  expect(ofQueue.workflows.toSorted()).toEqual([infra.lane('database').id, infra.lane('network').id]);
  expect(await infra.lane('network').holds(1)).toMatchObject([
    { revision: { sha: group.headSha, branch: 'main' }, requestedBy: 'github-merge-queue[bot]' },
  ]);
});

test('roots that are moved, renamed and deleted with their declarations deploy under the names they have then', async () => {
  const yaml = (...roots: readonly string[]) => `version: 1\nroots: [${roots.join(', ')}]\n`;
  const infra = await stage.repository({
    'nereid.yaml': yaml('{ dir: net }', '{ dir: db }', '{ dir: old }', '{ dir: app }'),
    ...Object.fromEntries(['net', 'db', 'old', 'app'].map((dir) => [`${dir}/main.tf`, BACKEND])),
  });
  const before = await infra.head();
  await infra.commit({ 'net/main.tf': null, 'core/net/main.tf': BACKEND });
  await infra.commit({ 'old/main.tf': null });
  const after = await infra.commit({
    'nereid.yaml': yaml('{ dir: core/net, name: net }', '{ dir: db, name: database }', '{ dir: app }'),
    'db/main.tf': `${BACKEND}# renamed`,
  });

  const result = await stage.deliver(infra.pushes(before, after));

  expect(result.sentence).toBe('2 of 3 roots are modified; deleted, with their resources still there: old');
  expect(await infra.lane('net').holds(1)).toMatchObject([{ root: { dir: 'core/net' }, revision: { sha: after } }]);
  expect(await infra.lane('database').holds(1)).toMatchObject([{ root: { dir: 'db' }, revision: { sha: after } }]);
  expect(await infra.lane('old').view()).toBeUndefined();
  expect(removedOn(infra, after)).toMatchObject([
    {
      conclusion: 'neutral',
      output: {
        title: '1 root was removed; its resources remain',
        summary: expect.stringContaining('old is removed, and its resources stay'),
      },
    },
  ]);
});

test('a commit that mends the configuration says that roots may be gone: nobody could read which there were', async () => {
  const infra = await stage.repository({ 'nereid.yaml': 'version: 7\n', 'app/main.tf': BACKEND });
  const before = await infra.head();
  const after = await infra.commit({ 'nereid.yaml': 'version: 1\nroots: [{ dir: app }]\n' });

  await stage.deliver(infra.pushes(before, after));

  expect(removedOn(infra, after)).toMatchObject([
    { output: { title: 'Roots may have been removed; their resources remain' } },
  ]);
});

describe("one root's failure", () => {
  test('to be signalled stops no other; the attempt names it, and the next one brings it once', async () => {
    const infra = await stage.repository({ ...ROOTS, 'zone/main.tf': BACKEND });
    const before = await infra.head();
    const after = await infra.commit({ 'network/a.tf': '', 'database/a.tf': '', 'zone/a.tf': '' });
    const away = new Set([infra.lane('database').id]);
    const deliver = () => stage.deliver(infra.pushes(before, after), { delivery: 'd', away });

    await expect(deliver()).rejects.toMatchObject({ type: 'LANES_UNREACHABLE', nonRetryable: false });
    await expect(deliver()).rejects.toThrow('the lanes of database,');
    for (const name of ['network', 'zone']) expect(await infra.lane(name).holds(1)).toHaveLength(1);
    away.clear();

    expect((await deliver()).workflows).toHaveLength(3);
    for (const name of ['network', 'database', 'zone']) expect(await infra.lane(name).holds(1)).toHaveLength(1);
  });

  test('to read its record stops no other; its lane says which record it is, and goes on once that is mended', async () => {
    const infra = await stage.repository(ROOTS);
    const before = await infra.head();
    const after = await infra.commit({ 'network/a.tf': '', 'database/a.tf': '' });
    const mend = await infra.lane('network').breakRecord('{"version":1,"repos');

    await stage.deliver(infra.pushes(before, after));

    expect(await infra.lane('database').holds(1)).toHaveLength(1);
    const blocked = await infra.lane('network').waitsFor(`lanes/${infra.fullName}/network.json`);
    expect(blocked).toMatchObject({ isRestored: false, waiting: [], waitsFor: expect.stringContaining('cut off') });
    await mend();
    expect(await infra.lane('network').holds(1)).toMatchObject([{ revision: { sha: after } }]);
  });
});

test('a webhook that was lost, reconciled and then delivered late queues nothing again, whichever commits it had', async () => {
  const infra = await stage.repository(ROOTS);
  await reconcile(infra);
  const before = await infra.head();
  const network = await infra.commit({ 'network/main.tf': `${BACKEND}# wider` });
  await infra.commit({ 'database/main.tf': `${BACKEND}# larger` });
  const after = await infra.commit({ 'README.md': 'more' });
  await reconcile(infra);
  await Promise.all([infra.lane('network').isStored(), infra.lane('database').isStored()]);

  const late = await stage.deliver(infra.pushes(before, after));

  expect(late).toEqual({ kind: 'nothing', sentence: 'the roots that it modifies have it already', workflows: [] });
  expect(await infra.lane('network').holds(1)).toMatchObject([{ revision: { sha: network } }]);
});

test('a webhook that is late brings what the reconciler, which took the branch as it was, had never brought', async () => {
  const infra = await stage.repository(ROOTS);
  const before = await infra.head();
  const after = await infra.commit({ 'network/main.tf': `${BACKEND}# wider` });
  await infra.commit({ 'README.md': 'more' });
  await reconcile(infra);

  await stage.deliver(infra.pushes(before, after));

  expect(await infra.lane('network').holds(1)).toMatchObject([{ revision: { sha: after } }]);
});

function removedOn(infra: StagedRepository, sha: string) {
  return infra.checkRuns().filter(({ name, headSha }) => name === 'nereid/removed' && headSha === sha);
}
