/** Runs of GitHub Actions that wait for roots, from their webhook to the answer, on real git and storage. */
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ProtectionRule } from '@nereid/config';
import { withMarks } from '@nereid/storage';
import { pino } from 'pino';
import type { WorkerContext } from '../platform/context.ts';
import { createAnswerProtectedRuns } from '../protected-run/answer-protected-runs.ts';
import { intakeStageOfThisFile } from './testing/intake-stage.ts';
import { ProtectedRunStage, RULE } from './testing/protected-run-stage.ts';
import { BACKEND, type StagedRepository } from './testing/staged-repository.ts';

const stage = intakeStageOfThisFile();
const runs = new ProtectedRunStage(stage);

afterEach(async () => {
  stage.standIn.faults.clear();
  await runs.clear();
});

describe('a job waits', () => {
  /** Though its lane has stored nothing. */
  async function expectToWait(infra: StagedRepository, sha: string) {
    await runs.wait(runs.started(infra, sha));
    const laneRecords = { ...stage.context.laneRecords, read: () => Promise.resolve(undefined) };
    await runs.answerRuns({ ...stage.context, laneRecords });

    expect(runs.runOf(infra)).toMatchObject({
      state: 'waiting',
      comments: [expect.stringContaining('- `network`, which')],
    });
  }

  test('until each root of its rule has its commit, and GitHub is told once', async () => {
    const infra = await runs.aRepository();
    await infra.commit({ 'network/main.tf': `${BACKEND}# 1` });
    const sha = await infra.commit({ 'README.md': 'more' });
    const event = runs.started(infra, sha);

    await runs.deliver(event, { delivery: 'a webhook' });
    await runs.deliver(event, { delivery: 'a webhook', attempt: 2 });
    await runs.answerRuns();
    expect(runs.runOf(infra)).toMatchObject({
      state: 'waiting',
      comments: [
        expect.stringMatching(/^Waits until these roots have .*\n\n- `network`, which has not reached its queue$/),
      ],
    });

    await runs.deployed(infra, 'network', sha);
    await runs.answerRuns();
    expect(runs.runOf(infra)).toMatchObject({
      state: 'approved',
      comments: [expect.anything(), expect.stringMatching(/`network`/)],
    });
    expect(await runs.listed(infra)).toEqual([]);
    stage.standIn.assertNoRefusedRequests();
  });

  test('also until a later commit is applied that contains its own', async () => {
    const infra = await runs.aRepository();
    const sha = await infra.commit({ 'network/main.tf': `${BACKEND}# 1` });
    await runs.deliver(runs.started(infra, sha));

    await runs.deployed(infra, 'network', await infra.commit({ 'network/main.tf': `${BACKEND}# 2` }));
    await runs.answerRuns();

    expect(runs.runOf(infra)).toMatchObject({ state: 'approved' });
  });

  test('however often GitHub is away', async () => {
    const infra = await runs.aRepository();
    const event = runs.started(infra, await infra.head());
    stage.standIn.faults.add({ kind: 'failure', status: 502, route: /^POST .*deployment_protection_rule$/ });
    await expect(runs.deliver(event)).rejects.toMatchObject({ type: 'FORGE_UNAVAILABLE' });
    await runs.answerRuns();
    expect(await runs.listed(infra)).toHaveLength(1);

    stage.standIn.faults.clear();
    await runs.answerRuns();
    expect(runs.runOf(infra)).toMatchObject({ state: 'approved' });
  });

  test('where the commit that was deployed is gone since a forced push, whatever its own commit changes', async () => {
    const infra = await runs.aRepository();
    await runs.deployed(infra, 'network', 'f'.repeat(40));
    await infra.commit({ 'network/main.tf': `${BACKEND}# 1` });
    await runs.deliver(runs.started(infra, await infra.commit({ 'README.md': 'more' })));

    expect(runs.runOf(infra)).toMatchObject({
      state: 'waiting',
      comments: [expect.stringContaining('- `network`, which')],
    });
  });

  test('for a root that was just ordered for the first time, though its lane has stored nothing', async () => {
    const infra = await runs.aRepository();
    const before = await infra.head();
    const sha = await infra.commit({ 'network/main.tf': `${BACKEND}# 1` });
    const place = { repository: infra.repository, branch: 'main' };
    await stage.deliver(infra.pushes(before, sha), runs.withRules(RULE));
    const stored = await stage.context.repositoryRecords.read(infra.repository);
    await stage.context.repositoryRecords.write(
      withMarks(stored, place, { reconciledTo: sha }),
      stored?.version ?? null,
    );

    await expectToWait(infra, sha);
  });

  test('for a root that somebody had deployed by hand for the first time, though its lane has stored nothing', async () => {
    const infra = await runs.aRepository();
    const sha = await infra.head();
    const request = { action: 'deploy', roots: ['network'], revision: sha } as const;
    expect(await stage.ask(infra, request, runs.withRules(RULE))).toMatchObject({ kind: 'signalled' });

    await expectToWait(infra, sha);
  });

  test('with a reason that is logged once, however many wait, while git is away', async () => {
    const infra = await runs.aRepository();
    for (let count = 0; count < 3; count += 1) await runs.wait(runs.started(infra, await infra.head()));
    const warnings: unknown[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
    const branchHead = () => Promise.reject(new Error('git is away'));

    await runs.answerRuns({ ...stage.context, logger, mirrors: { ...stage.context.mirrors, branchHead } });

    expect(warnings).toEqual([expect.stringContaining('git is away')]);
    expect(await runs.listed(infra)).toHaveLength(3);
  });

  test('with many others on one commit, for which git and discovery are asked once', async () => {
    const infra = await runs.aRepository();
    const sha = await infra.commit({ 'network/main.tf': `${BACKEND}# 1` });
    for (let count = 0; count < 30; count += 1) await runs.wait(runs.started(infra, sha));
    await runs.deployed(infra, 'network', sha);
    let asked = 0;
    const { discovery } = stage.context;
    const discoverRoots: typeof discovery.discoverRoots = (request) => {
      asked += 1;
      return discovery.discoverRoots(request);
    };

    await runs.answerRuns({ ...stage.context, discovery: { ...discovery, discoverRoots } });

    const states = stage.standIn.workflowRuns(infra.fullName).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['approved']));
    // The roots of the commit, and those that it changes.
    expect(asked).toBeLessThanOrEqual(2);
  });
});

describe('a job goes at once', () => {
  test('when its commit changes no root of the rule', async () => {
    const infra = await runs.aRepository();
    const sha = await infra.commit({ 'dns/main.tf': `${BACKEND}# 1` });

    const result = await runs.deliver(runs.started(infra, sha));

    expect(result).toMatchObject({ kind: 'signalled', sentence: expect.stringContaining('approved') });
    expect(runs.runOf(infra)).toMatchObject({
      state: 'approved',
      comments: [expect.stringMatching(/^Nothing to wait for/)],
    });
  });
});

describe('a job is rejected', () => {
  test('when a rule of its environment matches no root, so that nothing would be checked', async () => {
    const infra = await runs.aRepository();
    const typo: ProtectionRule = { ...RULE, roots: ['ntwork'] };

    await runs.deliver(runs.started(infra, await infra.head()), runs.withRules(RULE, typo));

    expect(runs.runOf(infra)).toMatchObject({
      state: 'rejected',
      comments: [expect.stringMatching(/checks nothing: .*\n\n- `ntwork`$/)],
    });
  });

  test('when its commit was never merged, such as the head of a pull request', async () => {
    const infra = await runs.aRepository();
    const { headSha } = await infra.pullRequest({ 'network/main.tf': `${BACKEND}# 1` });
    const receivedAt = new Date(Date.now() - 3 * 60_000).toISOString();

    await runs.deliver(runs.started(infra, headSha), { receivedAt });

    expect(runs.runOf(infra)).toMatchObject({
      state: 'rejected',
      comments: [expect.stringContaining('is not on `main`')],
    });
  });

  test('when GitHub has no such commit any more', async () => {
    const infra = await runs.aRepository();
    const receivedAt = new Date(Date.now() - 3 * 60_000).toISOString();

    await runs.deliver({ ...runs.started(infra, await infra.head()), sha: 'f'.repeat(40) }, { receivedAt });

    expect(runs.runOf(infra)).toMatchObject({ state: 'rejected' });
  });

  test('when no rule is about its environment, so that it waits for nothing', async () => {
    const infra = await runs.aRepository();

    await runs.deliver(runs.started(infra, await infra.head(), 'staging'));

    expect(runs.runOf(infra)).toMatchObject({
      state: 'rejected',
      comments: [expect.stringContaining('is about the environment `staging`')],
    });
  });

  test('when nobody can read which roots its commit has', async () => {
    const infra = await runs.aRepository();

    await runs.deliver(runs.started(infra, await infra.commit({ 'nereid.yaml': 'version: 7\n' })));

    expect(runs.runOf(infra)).toMatchObject({
      state: 'rejected',
      comments: [expect.stringContaining('`nereid.yaml` of')],
    });
  });
});

test('a commit that somebody wrote into storage is not judged: the gateway has not signed it', async () => {
  const infra = await runs.aRepository();
  const before = await infra.head();
  const sha = await infra.commit({ 'network/main.tf': `${BACKEND}# 1` });
  await runs.wait(runs.started(infra, sha), { sha: before });

  await runs.answerRuns();

  expect(runs.runOf(infra)).toMatchObject({ state: 'waiting', comments: [] });
  expect(await runs.listed(infra)).toEqual([]);
});

test('without rules, neither git, storage nor GitHub is asked for anything', async () => {
  const infra = await runs.aRepository();
  const event = runs.started(infra, await infra.head());
  await runs.wait(event);
  stage.standIn.resetTraffic();
  const context = {
    ...stage.context,
    ...runs.withRules(),
    protectedRuns: undefined as unknown as WorkerContext['protectedRuns'],
  };

  expect(await runs.deliver(event, runs.withRules())).toMatchObject({ kind: 'nothing' });
  await createAnswerProtectedRuns(context)(new AbortController().signal, Date.now());

  expect(stage.standIn.requestCounts()).toEqual([]);
  expect(runs.runOf(infra)).toMatchObject({ state: 'waiting' });
});
