import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openIntakeStage, type IntakeStage } from '../intake/testing/intake-stage.ts';
import { BACKEND, type StagedRepository } from '../intake/testing/staged-repository.ts';
import { reconcileBranch } from './reconcile-branch.ts';

const ROOTS = { 'network/main.tf': BACKEND, 'database/main.tf': BACKEND };

let stage: IntakeStage;

beforeAll(async () => {
  stage = await openIntakeStage();
});

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => stage.standIn.assertNoRefusedRequests());

afterAll(() => stage.close());

function reconcile({ repository }: StagedRepository) {
  return reconcileBranch(stage.context, { repository, branch: 'main' }, new AbortController().signal);
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

  test('whose lanes have accepted a later commit of it needs nothing', async () => {
    const infra = await aKnownRepository();
    const before = await infra.head();
    await infra.commit({ 'network/main.tf': `${BACKEND}# wider` });
    const head = await infra.commit({ 'README.md': 'more' });
    await stage.take(infra.pushes(before, head));
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

  test('that was forced counts from where it left what it was', async () => {
    const infra = await aKnownRepository();
    const forcedAway = await infra.commit({ 'network/main.tf': `${BACKEND}# taken away` }, 'side');
    const { repositoryRecords } = stage.context;
    const stored = await repositoryRecords.read(infra.repository);
    const record = { version: 1, repository: infra.repository, branch: 'main', reconciledTo: forcedAway } as const;
    await repositoryRecords.write(record, stored?.version ?? null);
    const kept = await infra.commit({ 'database/main.tf': `${BACKEND}# larger` });

    await reconcile(infra);

    expect(await infra.lane('database').deployments()).toMatchObject([{ revision: { sha: kept } }]);
    expect(await infra.lane('network').view()).toBeUndefined();
  });
});
