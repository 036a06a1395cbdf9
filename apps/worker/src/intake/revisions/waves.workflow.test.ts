/** Roots of one merge that go in waves: what intake stores and signs, and what the lanes make of it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { readServerConfig } from '@nereid/config';
import type { Deployment } from '@nereid/domain/deployment';
import type { DomainEvent } from '@nereid/domain/events';
import { poolOf } from '@nereid/domain/root';
import { aDeployment, aPlan, progressAs } from '@nereid/domain/testing';
import { cancelInLane } from '../../lane/ask-lane.ts';
import { openReceiver, status } from '@nereid/test-kit/receiver';
import { keepChecking } from '../../rollout/waves/checks/keep-checking.ts';
import { notifyWaves } from '../../rollout/waves/notify-waves.ts';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import { BACKEND, type StagedRepository } from '../testing/staged-repository.ts';

const stage = intakeStageOfThisFile();

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => stage.standIn.assertNoRefusedRequests());

/** The server whose file has one canary, with these other keys. */
function withCanary(more: string) {
  const { storage } = stage;
  const places = `storage: { deployments: "${storage}", plans: "${storage}", logs: "${storage}" }`;
  const read = readServerConfig(
    `repositories: [{ match: acme/* }]\n${places}\nwaves: [{ name: canary, max: 1${more} }]`,
  );
  if (read.kind === 'invalid') throw new Error(JSON.stringify(read.problems));
  const { waves } = read.config;
  const { server } = stage.context;
  return { current: () => ({ ...server.current(), waves }) };
}

/** A merge of `app`, which is the canary, and of `network`. */
async function merge(more = '') {
  const infra = await stage.repository({ 'app/main.tf': BACKEND, 'network/main.tf': BACKEND });
  const before = await infra.head();
  const sha = await infra.commit({ 'app/main.tf': `${BACKEND}# 1`, 'network/main.tf': `${BACKEND}# 1` });
  await stage.deliver(infra.pushes(before, sha), { server: withCanary(more) });
  const [canary] = await infra.lane('app').holds(1);
  if (canary === undefined) throw new Error('expected a deployment of app');
  return { infra, sha, canary };
}

/** Returns once the deployment of `network` is blocked with this, or, without it, is not. */
async function networkWaits(infra: StagedRepository, part?: string): Promise<void> {
  const lane = infra.lane('network');
  for (;;) {
    const { status, reason = '' } = (await lane.view())?.running?.progress ?? {};
    if (part === undefined ? status !== undefined && status !== 'blocked' : reason.includes(part)) return;
  }
}

/** Returns once the checks of the first wave have passed: a lane that is woken says that it begins before it asks its gates. */
async function checksPassed({ repository }: StagedRepository, { together }: Deployment): Promise<void> {
  const { waveCheckRecords } = stage.context;
  for (;;) {
    const found = await waveCheckRecords.read(repository, together?.waves ?? '', 1);
    if (found?.checks.body.state === 'passed') return;
    await sleep(20);
  }
}

async function cancel(infra: StagedRepository, deployment: Deployment): Promise<void> {
  const asking = { context: stage.context, signal: new AbortController().signal };
  const message = { version: 1, requestId: randomUUID(), by: 'wim', askedAt: new Date().toISOString() } as const;
  await cancelInLane(asking, infra.repository, deployment, message);
}

/** As its host and control store a deployment that was applied, and tell others of it. */
async function isApplied({ repository }: StagedRepository, deployment: Deployment, more = ''): Promise<void> {
  const applied = { ...deployment, progress: progressAs('succeeded') };
  const { id, root } = deployment;
  await stage.context.begunApplies.of(poolOf(root)).begin(id, { hostId: 'host-1', jobId: `${id}-apply-1` });
  const endedAt = new Date().toISOString();
  await stage.context.deploymentRecords.write({ version: 1, repository, deployment: applied, endedAt });
  await notifyWaves({ ...stage.context, server: withCanary(more) }, repository, applied);
}

test('a canary that fails halts the rest of its merge, which a merged fix resumes', async () => {
  const { infra, sha, canary } = await merge();
  await networkWaits(infra, 'waits for wave 1 of 2 (canary): app');

  await cancel(infra, canary);
  await networkWaits(infra, 'is halted by wave 1 of 2 (canary): app was cancelled');

  const fix = await infra.commit({ 'app/main.tf': `${BACKEND}# 2` });
  await stage.deliver(infra.pushes(sha, fix), { server: withCanary('') });
  const held = await infra.lane('app').holds(2);
  const fixing = held.find(({ revision }) => revision.sha === fix);
  if (fixing === undefined) throw new Error('expected a deployment of the fix');
  await isApplied(infra, fixing);

  await networkWaits(infra);
});

test('a canary whose check fails halts the rest of its merge, which a merged fix resumes', async () => {
  const service = await openReceiver();
  service.always(status(500));
  const checks = `, checks: [{ name: page, http: { url: "${service.url}" }, failures: 1 }]`;
  const { server } = stage.context;
  // Lanes go by it, and so does the worker that asks.
  Object.assign(stage.context, { server: withCanary(checks) });
  const stopChecking = keepChecking(stage.context, 100);
  try {
    const { infra, sha, canary } = await merge(checks);
    const { repository } = infra;
    await networkWaits(infra, 'waits for wave 1 of 2 (canary): app');
    const end = { kind: 'ended', status: 'succeeded' } as const;
    await stage.context.rolloutRecords.end(repository, canary.together?.waves ?? '', 'app', end);
    await isApplied(infra, canary, checks);
    await networkWaits(infra, 'is halted by wave 1 of 2 (canary): its check page failed once, at ');

    service.always(status(204));
    const fix = await infra.commit({ 'app/main.tf': `${BACKEND}# 2` });
    await stage.deliver(infra.pushes(sha, fix), { server: withCanary(checks) });
    const fixing = (await infra.lane('app').holds(2)).find(({ revision }) => revision.sha === fix);
    if (fixing === undefined) throw new Error('expected a deployment of the fix');
    await isApplied(infra, fixing, checks);

    await checksPassed(infra, canary);
    await networkWaits(infra);
  } finally {
    await stopChecking();
    Object.assign(stage.context, { server });
    await service.close();
  }
});

test('a person who may skips the wave that others wait for, and no other one', async () => {
  const { infra, sha } = await merge(', soak: 1h');
  await networkWaits(infra, 'then it soaks for 1h');
  const skip = (wave: number, sender: string) =>
    stage.ask(infra, { action: 'skip_soak', revision: sha, wave, reason: 'the metrics are fine' }, { sender });

  expect(await skip(1, 'wim')).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('skip a wave') });
  expect(await skip(2, 'ada')).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('from 1 to 1') });
  await networkWaits(infra, 'then it soaks for 1h');
  expect(await skip(1, 'ada')).toMatchObject({
    kind: 'signalled',
    sentence: expect.stringMatching(/^@ada skipped wave 1 of /),
  });

  await networkWaits(infra);
});

test('a root that worked can be re-run once a check of its wave has halted the rollout', async () => {
  const { infra, sha } = await haltedByCheck();
  const checkRun = await infra.ownCheckRun('app', sha, { conclusion: 'success' });

  const server = withCanary(', checks: [{ name: page, http: { url: "http://127.0.0.1:9" } }]');
  const result = await stage.deliver(infra.reruns(checkRun), { server });

  expect(result).toMatchObject({ kind: 'signalled', workflows: [infra.lane('app').id] });
});

test('nereid rerun does the same, and refuses it of a root of another wave', async () => {
  const { infra, sha } = await haltedByCheck();
  for (const rootName of ['app', 'network']) {
    const ended = aDeployment({ status: 'succeeded', plan: aPlan() });
    await infra.recordEnded({
      ...ended,
      id: rootName,
      root: { ...ended.root, name: rootName },
      revision: { ...ended.revision, sha },
    });
  }

  const server = withCanary(', checks: [{ name: page, http: { url: "http://127.0.0.1:9" } }]');
  const rerun = (rootName: string) =>
    stage.ask(infra, { action: 'rerun', rootName, deploymentId: rootName }, { server });
  const [network, app] = [await rerun('network'), await rerun('app')];

  expect(network).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('did not fail') });
  expect(app).toMatchObject({ kind: 'signalled', workflows: [infra.lane('app').id] });
});

test('a person who skips a wave that a check has halted has people told that the rollout goes on', async () => {
  const { infra, sha, at } = await haltedByCheck();
  const { publish } = stage.context;
  const published: DomainEvent[] = [];
  Object.assign(stage.context, { publish: (...events: DomainEvent[]) => void published.push(...events) });
  try {
    await stage.ask(infra, { action: 'skip_soak', revision: sha, wave: 1, reason: 'a false alarm' }, { sender: 'ada' });
  } finally {
    Object.assign(stage.context, { publish });
  }

  const { owner, name } = infra.repository;
  expect(published.filter(({ kind }) => kind === 'resumed')).toMatchObject([
    {
      ...{ id: `${owner}/${name}/${sha}/delivery-1:resumed:1:${at}`, rollout: `${sha}/delivery-1`, revision: sha },
      sentence: 'wave 1 of 2 (canary): @ada skipped it',
    },
  ]);
});

/** A merge of two roots, the first of which is deployed, and halts the rollout by its check `page`. */
async function haltedByCheck(): Promise<{
  readonly infra: StagedRepository;
  readonly sha: string;
  readonly at: string;
}> {
  const infra = await stage.repository({ 'app/main.tf': BACKEND, 'network/main.tf': BACKEND });
  const sha = await infra.head();
  const id = `${sha}/delivery-1`;
  const at = new Date().toISOString();
  const { repository } = infra;
  const about = { version: 1, repository: { owner: repository.owner, name: repository.name } } as const;
  const { rolloutRecords, waveCheckRecords, signatures } = stage.context;
  await rolloutRecords.write({
    ...{ ...about, id, revision: sha, isRerun: false, orderedAt: at },
    roots: ['app', 'network'].map((rootName) => ({ rootName, group: 0, dependsOn: [], deploymentId: rootName })),
    waves: ['app', 'network'].map((rootName) => ({ name: 'canary', rootNames: [rootName], soakMs: 0 })),
  });
  await rolloutRecords.end(repository, id, 'app', { kind: 'ended', status: 'succeeded' });
  const halted = {
    ...about,
    rollout: id,
    wave: 1,
    since: at,
    at,
    state: 'halted',
    haltedBy: 'page',
    results: [{ check: 'page', at, failures: 3, answer: 'answered 500' }],
  } as const;
  await waveCheckRecords.write(await signatures.enclose('decision/wave-checks', halted), undefined);
  return { infra, sha, at };
}
