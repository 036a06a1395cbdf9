import { afterEach, describe, expect, test } from '@jest/globals';
import type { PullRequestLook } from '@nereid/domain/pull-request';
import { intakeStageOfThisFile } from '../intake/testing/intake-stage.ts';
import { withoutSignalsTo } from '../intake/testing/faulty-temporal.ts';
import { BACKEND, type StagedRepository } from '../intake/testing/staged-repository.ts';
import { stagedPullRequests } from '../pull-request/testing/staged-pull-requests.ts';
import { reconcileBranch } from './reconcile-branch.ts';

const ROOTS = { 'network/main.tf': BACKEND, 'database/main.tf': BACKEND };

const stage = intakeStageOfThisFile();

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => stage.standIn.assertNoRefusedRequests());

function reconcile({ repository }: StagedRepository, context = stage.context) {
  return reconcileBranch(context, { repository, branch: 'main' }, new AbortController().signal);
}

async function markOf({ repository }: StagedRepository) {
  return (await stage.context.repositoryRecords.read(repository))?.record.reconciledTo;
}

async function setMark({ repository }: StagedRepository, reconciledTo: string) {
  const { repositoryRecords } = stage.context;
  const stored = await repositoryRecords.read(repository);
  await repositoryRecords.write({ version: 1, repository, branch: 'main', reconciledTo }, stored?.version ?? null);
}

/** Seen before, as it is now. */
async function aKnownRepository(files = ROOTS as Record<string, string>) {
  const infra = await stage.repository(files);
  await reconcile(infra);
  return infra;
}

describe('a branch', () => {
  test('that is seen for the first time is taken as it is: nothing is deployed', async () => {
    const infra = await stage.repository(ROOTS);
    await infra.commit({ 'network/main.tf': `${BACKEND}# wider` });

    expect(await reconcile(infra)).toEqual([]);
    expect(await infra.lane('network').view()).toBeUndefined();
  });

  test('that the server’s file names and that is gone is named: a renamed branch would stop all deployments in silence', async () => {
    const { repository, fullName } = await stage.repository(ROOTS);
    const server = stage.context.server.current();
    const repositories = [{ match: fullName, branch: 'trunk', settings: {}, roots: [] }, ...server.repositories];
    const context = { ...stage.context, server: { current: () => ({ ...server, repositories }) } };
    const reconcileTrunk = () =>
      reconcileBranch(context, { repository, branch: 'trunk' }, new AbortController().signal);

    expect(await reconcileTrunk()).toEqual([
      `${fullName}: expected the branch trunk, which the server's file names, found none, so nothing of it is deployed; correct repositories.branch`,
    ]);
  });

  test('brings to each root the newest change of it that reached no lane, once', async () => {
    const infra = await aKnownRepository();
    await infra.commit({ 'network/main.tf': `${BACKEND}# wider` });
    const network = await infra.commit({ 'network/main.tf': `${BACKEND}# wider still` });
    const database = await infra.commit({ 'database/main.tf': `${BACKEND}# larger` });

    const found = await reconcile(infra);

    expect(found).toEqual([
      `${infra.fullName}: brought network at ${network.slice(0, 7)}, database at ${database.slice(0, 7)}`,
    ]);
    expect(await infra.lane('network').deployments()).toMatchObject([
      { trigger: 'merge', rerun: false, revision: { sha: network, position: 3 }, requestedBy: 'wim' },
    ]);
    expect(await infra.lane('database').deployments()).toMatchObject([{ revision: { sha: database } }]);
    expect(await reconcile(infra)).toEqual([]);
  });

  test('has open pull requests say that their plans are out of date', async () => {
    const infra = await stage.repository(ROOTS, 'acme', true, 'planned');
    await reconcile(infra);
    const opened = await infra.pullRequest({ 'network/other.tf': '' });
    const pulls = stagedPullRequests(stage, infra);
    await pulls.changed(opened.number, 'opened');
    await pulls.shows(opened.headSha, 'Planning 1 root');
    const lost = await infra.commit({ 'network/main.tf': `${BACKEND}# wider` });

    await reconcile(infra);

    const isOutdated = ({ previews }: PullRequestLook) => previews.every(({ outdatedBy }) => outdatedBy === lost);
    expect((await pulls.looked(opened.number, isOutdated)).previews).toHaveLength(1);
  });

  test('whose lanes have accepted a later commit of it needs nothing', async () => {
    const infra = await aKnownRepository();
    const before = await infra.head();
    await infra.commit({ 'network/main.tf': `${BACKEND}# wider` });
    const head = await infra.commit({ 'README.md': 'more' });
    await stage.deliver(infra.pushes(before, head));
    const [accepted] = await infra.lane('network').deployments();
    await infra.lane('network').runs(accepted?.id ?? '');
    await infra.lane('network').isStored();

    expect(await reconcile(infra)).toEqual([]);
    expect(await infra.lane('network').deployments()).toHaveLength(1);
  });

  test('whose configuration is broken is brought once it is mended, with all that came before', async () => {
    const infra = await aKnownRepository();
    await infra.commit({ 'nereid.yaml': 'version: 7\n', 'network/main.tf': `${BACKEND}# wider` });
    expect(await reconcile(infra)).toEqual([]);
    const mended = await infra.commit({ 'nereid.yaml': null });

    await reconcile(infra);

    expect(await infra.lane('network').deployments()).toMatchObject([{ revision: { sha: mended } }]);
  });

  test('whose roots fail one by one brings the others, names what failed, and brings that the next time', async () => {
    const infra = await aKnownRepository({ ...ROOTS, 'zone/main.tf': BACKEND });
    const mark = await infra.head();
    await infra.commit({ 'network/a.tf': '' });
    const head = await infra.commit({ 'database/a.tf': '', 'zone/a.tf': '' });
    const mend = await infra.lane('network').breakRecord('{"version":2}');
    const away = new Set([infra.lane('database').id]);

    const failed = reconcile(infra, withoutSignalsTo(stage.context, away));

    await expect(failed).rejects.toThrow(/network\.json has version 2.*the lanes of database,/);
    expect(await infra.lane('zone').holds(1)).toMatchObject([{ revision: { sha: head } }]);
    expect(await markOf(infra)).toBe(mark);
    await mend();
    away.clear();
    await reconcile(infra);
    for (const name of ['network', 'database', 'zone']) expect(await infra.lane(name).holds(1)).toHaveLength(1);
    expect(await markOf(infra)).toBe(head);
  });

  test('that has moved far brings each root as it was touched, and nothing that its lane has, however long ago', async () => {
    const infra = await aKnownRepository();
    const mark = await infra.head();
    const taken = await infra.commit({ 'network/main.tf': `${BACKEND}# wider` });
    const lost = await infra.commit({ 'database/main.tf': `${BACKEND}# larger` });
    await stage.deliver(infra.pushes(mark, taken));
    await infra.lane('network').isStored();
    const others = Array.from({ length: 250 }, (_, index) => ({ path: 'README.md', text: String(index) }));
    const head = await infra.pushAll(others);

    const found = await reconcile(infra);

    expect(found).toEqual([`${infra.fullName}: brought database at ${lost.slice(0, 7)}`]);
    expect(await infra.lane('network').holds(1)).toMatchObject([{ revision: { sha: taken } }]);
    expect(await markOf(infra)).toBe(head);
  });

  test('that has moved further than one look reaches is brought in the next looks, from where the last one ended', async () => {
    const infra = await aKnownRepository();
    const first = await infra.commit({ 'network/main.tf': `${BACKEND}# wider` });
    const second = await infra.commit({ 'README.md': 'more' });
    const third = await infra.commit({ 'database/main.tf': `${BACKEND}# larger` });
    const reconcile = () =>
      reconcileBranch(stage.context, { repository: infra.repository, branch: 'main' }, AbortSignal.timeout(60_000), 2);

    expect(await reconcile()).toEqual([`${infra.fullName}: brought network at ${first.slice(0, 7)}`]);
    expect(await markOf(infra)).toBe(second);
    expect(await reconcile()).toEqual([`${infra.fullName}: brought database at ${third.slice(0, 7)}`]);
    expect(await markOf(infra)).toBe(third);
  });

  test('that was forced, and whose past is gone, counts from the first parent, as a push does', async () => {
    const infra = await aKnownRepository();
    await infra.commit({ 'network/a.tf': '' });
    const head = await infra.commit({ 'database/a.tf': '' });
    await setMark(infra, 'f'.repeat(40));

    await reconcile(infra);

    expect(await infra.lane('database').holds(1)).toMatchObject([{ revision: { sha: head } }]);
    expect(await infra.lane('network').view()).toBeUndefined();
    expect(await markOf(infra)).toBe(head);
  });

  test('that was forced counts from where it left what it was', async () => {
    const infra = await aKnownRepository();
    const forcedAway = await infra.commit({ 'network/main.tf': `${BACKEND}# taken away` }, 'side');
    await setMark(infra, forcedAway);
    const kept = await infra.commit({ 'database/main.tf': `${BACKEND}# larger` });

    await reconcile(infra);

    expect(await infra.lane('database').deployments()).toMatchObject([{ revision: { sha: kept } }]);
    expect(await infra.lane('network').view()).toBeUndefined();
  });
});
