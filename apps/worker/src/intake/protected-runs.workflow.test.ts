/** Runs of GitHub Actions that wait for roots, from their webhook to the answer, on real git and storage. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProtectionRule } from '@nereid/config';
import type { ProtectedRun, ProtectedRunEvent } from '@nereid/domain/intake';
import { deploymentAt, progressAs } from '@nereid/domain/testing';
import type { WorkflowRun } from '@nereid/github-stand-in';
import { withMarks } from '@nereid/storage';
import { pino } from 'pino';
import type { WorkerContext } from '../platform/context.ts';
import { createAnswerProtectedRuns } from '../protected-run/answer-protected-runs.ts';
import { signedEvent } from '../testing/test-signatures.ts';
import { openIntakeStage, type Attempt, type IntakeStage } from './testing/intake-stage.ts';
import { BACKEND, type StagedRepository } from './testing/staged-repository.ts';

let stage: IntakeStage;

beforeAll(async () => {
  stage = await openIntakeStage();
});

afterEach(async () => {
  stage.standIn.faults.clear();
  // A look is one at the runs of all tests.
  const left = await stage.context.protectedRuns.list(() => undefined);
  await Promise.all(left.map((run) => stage.context.protectedRuns.remove(run)));
});

afterAll(() => stage.close());

const RULE: ProtectionRule = { environment: 'production', repositories: ['acme/*'], roots: ['network', 'app'] };

function withRules(...protectionRules: readonly ProtectionRule[]): Pick<WorkerContext, 'server'> {
  return { server: { current: () => ({ ...stage.context.server.current(), protectionRules }) } };
}

const FILES = { 'network/main.tf': BACKEND, 'app/main.tf': BACKEND, 'dns/main.tf': BACKEND };

/** With everything that is on its branch taken as it is. */
async function aRepository(): Promise<StagedRepository> {
  const infra = await stage.repository(FILES);
  const reconciledTo = await infra.head();
  const record = { version: 1, repository: infra.repository, branch: 'main', reconciledTo } as const;
  await stage.context.repositoryRecords.write(record, null);
  return infra;
}

/** GitHub asks about a run that has come to its job. */
function started(infra: StagedRepository, sha: string, environment = 'production'): ProtectedRunEvent {
  const { id: runId } = stage.standIn.startWorkflowRun(infra.fullName, { environment, sha, by: 'wim' });
  return { kind: 'protected-run', repository: infra.repository, runId, environment, sha, sender: 'wim' };
}

const deliver = (event: ProtectedRunEvent, more: Partial<Attempt> = {}) =>
  stage.deliver(event, { ...withRules(RULE), ...more });

/** As the watch looks every minute. */
async function answerRuns(context: WorkerContext = stage.context): Promise<void> {
  await createAnswerProtectedRuns({ ...context, ...withRules(RULE) })(new AbortController().signal, Date.now());
}

const runOf = (infra: StagedRepository): WorkflowRun | undefined => stage.standIn.workflowRuns(infra.fullName)[0];

const listed = async (infra: StagedRepository) => {
  const all = await stage.context.protectedRuns.list(() => undefined);
  return all.filter(({ received }) => received.body.event.repository.name === infra.repository.name);
};

async function deployed(infra: StagedRepository, rootName: string, sha: string): Promise<void> {
  const { root, revision, ...deployment } = deploymentAt(1, { id: randomUUID(), progress: progressAs('succeeded') });
  await stage.context.deploymentRecords.write({
    ...{ version: 1, repository: infra.repository, endedAt: new Date().toISOString() },
    deployment: { ...deployment, root: { ...root, name: rootName }, revision: { ...revision, sha } },
  });
}

describe('a job waits', () => {
  test('until each root of its rule has its commit, and GitHub is told once', async () => {
    const infra = await aRepository();
    await infra.commit({ 'network/main.tf': `${BACKEND}# 1` });
    const sha = await infra.commit({ 'README.md': 'more' });
    const event = started(infra, sha);

    await deliver(event, { delivery: 'a webhook' });
    await deliver(event, { delivery: 'a webhook', attempt: 2 });
    await answerRuns();
    expect(runOf(infra)).toMatchObject({
      state: 'waiting',
      comments: [
        expect.stringMatching(/^Waits until these roots have .*\n\n- `network`, which has not reached its queue$/),
      ],
    });

    await deployed(infra, 'network', sha);
    await answerRuns();
    expect(runOf(infra)).toMatchObject({
      state: 'approved',
      comments: [expect.anything(), expect.stringMatching(/`network`/)],
    });
    expect(await listed(infra)).toEqual([]);
    stage.standIn.assertNoRefusedRequests();
  });

  test('also until a later commit is applied that contains its own', async () => {
    const infra = await aRepository();
    const sha = await infra.commit({ 'network/main.tf': `${BACKEND}# 1` });
    await deliver(started(infra, sha));

    await deployed(infra, 'network', await infra.commit({ 'network/main.tf': `${BACKEND}# 2` }));
    await answerRuns();

    expect(runOf(infra)).toMatchObject({ state: 'approved' });
  });

  test('however often GitHub is away', async () => {
    const infra = await aRepository();
    const event = started(infra, await infra.head());
    stage.standIn.faults.add({ kind: 'failure', status: 502, route: /^POST .*deployment_protection_rule$/ });
    await expect(deliver(event)).rejects.toMatchObject({ type: 'FORGE_UNAVAILABLE' });
    await answerRuns();
    expect(await listed(infra)).toHaveLength(1);

    stage.standIn.faults.clear();
    await answerRuns();
    expect(runOf(infra)).toMatchObject({ state: 'approved' });
  });

  test('where the commit that was deployed is gone since a forced push, whatever its own commit changes', async () => {
    const infra = await aRepository();
    await deployed(infra, 'network', 'f'.repeat(40));
    await infra.commit({ 'network/main.tf': `${BACKEND}# 1` });
    await deliver(started(infra, await infra.commit({ 'README.md': 'more' })));

    expect(runOf(infra)).toMatchObject({ state: 'waiting', comments: [expect.stringContaining('- `network`, which')] });
  });

  test('for a root that was just ordered for the first time, though its lane has stored nothing', async () => {
    const infra = await aRepository();
    const before = await infra.head();
    const sha = await infra.commit({ 'network/main.tf': `${BACKEND}# 1` });
    const place = { repository: infra.repository, branch: 'main' };
    await stage.deliver(infra.pushes(before, sha), withRules(RULE));
    const stored = await stage.context.repositoryRecords.read(infra.repository);
    await stage.context.repositoryRecords.write(
      withMarks(stored, place, { reconciledTo: sha }),
      stored?.version ?? null,
    );

    await wait(started(infra, sha));
    const laneRecords = { ...stage.context.laneRecords, read: () => Promise.resolve(undefined) };
    await answerRuns({ ...stage.context, laneRecords });

    expect(runOf(infra)).toMatchObject({ state: 'waiting', comments: [expect.stringContaining('- `network`, which')] });
  });

  test('with a reason that is logged once, however many wait, while git is away', async () => {
    const infra = await aRepository();
    for (let count = 0; count < 3; count += 1) await wait(started(infra, await infra.head()));
    const warnings: unknown[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
    const branchHead = () => Promise.reject(new Error('git is away'));

    await answerRuns({ ...stage.context, logger, mirrors: { ...stage.context.mirrors, branchHead } });

    expect(warnings).toEqual([expect.stringContaining('git is away')]);
    expect(await listed(infra)).toHaveLength(3);
  });

  test('with many others on one commit, for which git and discovery are asked once', async () => {
    const infra = await aRepository();
    const sha = await infra.commit({ 'network/main.tf': `${BACKEND}# 1` });
    for (let count = 0; count < 30; count += 1) await wait(started(infra, sha));
    await deployed(infra, 'network', sha);
    let asked = 0;
    const { discovery } = stage.context;
    const discoverRoots: typeof discovery.discoverRoots = (request) => {
      asked += 1;
      return discovery.discoverRoots(request);
    };

    await answerRuns({ ...stage.context, discovery: { ...discovery, discoverRoots } });

    const states = stage.standIn.workflowRuns(infra.fullName).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['approved']));
    // The roots of the commit, and those that it changes.
    expect(asked).toBeLessThanOrEqual(2);
  });
});

/** As intake keeps it, without a look. */
async function wait(event: ProtectedRunEvent, change: Partial<ProtectedRunEvent> = {}): Promise<void> {
  const body = { version: 1, delivery: randomUUID(), receivedAt: new Date().toISOString(), event } as const;
  const { signature } = await signedEvent(body);
  const received: ProtectedRun['received'] = { body: { ...body, event: { ...event, ...change } }, signature };
  await stage.context.protectedRuns.add({ version: 1, received, reports: 0 });
}

describe('a job goes at once', () => {
  test('when its commit changes no root of the rule', async () => {
    const infra = await aRepository();
    const sha = await infra.commit({ 'dns/main.tf': `${BACKEND}# 1` });

    const result = await deliver(started(infra, sha));

    expect(result).toMatchObject({ kind: 'signalled', sentence: expect.stringContaining('approved') });
    expect(runOf(infra)).toMatchObject({
      state: 'approved',
      comments: [expect.stringMatching(/^Nothing to wait for/)],
    });
  });
});

describe('a job is rejected', () => {
  test('when its commit was never merged, such as the head of a pull request', async () => {
    const infra = await aRepository();
    const { headSha } = await infra.pullRequest({ 'network/main.tf': `${BACKEND}# 1` });
    const receivedAt = new Date(Date.now() - 3 * 60_000).toISOString();

    await deliver(started(infra, headSha), { receivedAt });

    expect(runOf(infra)).toMatchObject({ state: 'rejected', comments: [expect.stringContaining('is not on `main`')] });
  });

  test('when GitHub has no such commit any more', async () => {
    const infra = await aRepository();
    const receivedAt = new Date(Date.now() - 3 * 60_000).toISOString();

    await deliver({ ...started(infra, await infra.head()), sha: 'f'.repeat(40) }, { receivedAt });

    expect(runOf(infra)).toMatchObject({ state: 'rejected' });
  });

  test('when no rule is about its environment, so that it waits for nothing', async () => {
    const infra = await aRepository();

    await deliver(started(infra, await infra.head(), 'staging'));

    expect(runOf(infra)).toMatchObject({
      state: 'rejected',
      comments: [expect.stringContaining('is about the environment `staging`')],
    });
  });

  test('when nobody can read which roots its commit has', async () => {
    const infra = await aRepository();

    await deliver(started(infra, await infra.commit({ 'nereid.yaml': 'version: 7\n' })));

    expect(runOf(infra)).toMatchObject({
      state: 'rejected',
      comments: [expect.stringContaining('`nereid.yaml` of')],
    });
  });
});

test('a commit that somebody wrote into storage is not judged: the gateway has not signed it', async () => {
  const infra = await aRepository();
  const before = await infra.head();
  const sha = await infra.commit({ 'network/main.tf': `${BACKEND}# 1` });
  await wait(started(infra, sha), { sha: before });

  await answerRuns();

  expect(runOf(infra)).toMatchObject({ state: 'waiting', comments: [] });
  expect(await listed(infra)).toEqual([]);
});

test('without rules, neither git, storage nor GitHub is asked for anything', async () => {
  const infra = await aRepository();
  const event = started(infra, await infra.head());
  await wait(event);
  stage.standIn.resetTraffic();
  const context = {
    ...stage.context,
    ...withRules(),
    protectedRuns: undefined as unknown as WorkerContext['protectedRuns'],
  };

  expect(await deliver(event, withRules())).toMatchObject({ kind: 'nothing' });
  await createAnswerProtectedRuns(context)(new AbortController().signal, Date.now());

  expect(stage.standIn.requestCounts()).toEqual([]);
  expect(runOf(infra)).toMatchObject({ state: 'waiting' });
});
