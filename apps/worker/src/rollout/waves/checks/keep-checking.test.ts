/** The checks of a canary, from the end of its deployment to the wave after it: real requests, and what storage knows of them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { readServerConfig, type WaveCheck } from '@nereid/config';
import type { Deployment } from '@nereid/domain/deployment';
import type { DomainEvent } from '@nereid/domain/events';
import { askGate, type WaveChecks } from '@nereid/domain/gates';
import { deploymentAt, progressAs, REPOSITORY, shaAt } from '@nereid/domain/testing';
import {
  createDeploymentRecords,
  createRolloutRecords,
  createWaveCheckRecords,
  openObjectStore,
} from '@nereid/storage';
import { openReceiver, status, type Receiver } from '@nereid/test-kit/receiver';
import { pino } from 'pino';
import { strangers, testSignatures } from '../../../testing/test-signatures.ts';
import { isHaltedByCheck } from '../find-wave.ts';
import { soakFacts } from '../soak-facts.ts';
import { notifyWaves } from '../notify-waves.ts';
import { startRollout } from '../../start-rollout.ts';
import { checkAll, keepChecking, type CheckContext } from './keep-checking.ts';

const SHA = shaAt(1);
const ID = `${SHA}/delivery-1`;
const ROOTS = ['app', 'dns', 'web'];
const HOUR = 3_600_000;
const { owner, name } = REPOSITORY;
const SERVER = readServer();

function readServer() {
  const storage = 'storage: { deployments: "file:/s", plans: "file:/s", logs: "file:/s" }';
  const read = readServerConfig(`repositories: [{ match: acme/* }]\n${storage}`);
  if (read.kind === 'invalid') throw new Error(JSON.stringify(read.problems));
  return read.config;
}

let folder: string;
let server: Receiver;
let context: CheckContext & Parameters<typeof notifyWaves>[0];
let checks: readonly WaveCheck[];
let told: string[];
let events: DomainEvent[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nereid-checks-'));
  server = await openReceiver();
  const store = await openObjectStore(`file:${folder}`, {});
  told = [];
  events = [];
  checks = [aCheck()];
  context = {
    rolloutRecords: createRolloutRecords(store),
    waveCheckRecords: createWaveCheckRecords(store),
    deploymentRecords: createDeploymentRecords(store),
    signatures: testSignatures,
    server: { current: () => ({ ...SERVER, waves: [{ name: 'canary', checks }] }) },
    publish: async (...published: readonly DomainEvent[]) => void events.push(...published),
    logger: pino({ level: 'silent' }),
    mirrors: { isKnownAncestor: async (_repository: unknown, one: string, other: string) => one <= other },
    forge: { commits: { compare: () => Promise.reject(new Error('GitHub was asked')) } },
    temporal: {
      withDeadline: (_deadline: number, act: () => Promise<unknown>) => act(),
      workflow: { getHandle: (id: string) => ({ signal: async () => void told.push(id) }) },
    },
  } as unknown as typeof context; // What is used of it.
});

afterEach(async () => {
  jest.useRealTimers();
  await server.close();
  await rm(folder, { recursive: true });
});

/** Due in each round. */
function aCheck(more: Partial<WaveCheck> = {}): WaveCheck {
  const target = { kind: 'http', url: `${server.url}/healthz` } as const;
  return { name: 'page', everyMs: 0, failures: 2, timeoutMs: 60_000, target, ...more };
}

function of(rootName: string, to: Deployment['progress']['status'], id = '1', revision = 1): Deployment {
  const deployment = deploymentAt(revision);
  return {
    ...deployment,
    id: `${rootName}-${id}`,
    root: { ...deployment.root, name: rootName },
    ...(revision === 1 && { together: { rollout: ID, waves: ID } }),
    progress: progressAs(to),
  };
}

/** As control stores the end of a deployment, and tells others of it. */
async function isDeployed(rootName: string, id?: string, revision = 1): Promise<void> {
  const deployment = of(rootName, 'succeeded', id, revision);
  if (revision === 1)
    await context.rolloutRecords.end(REPOSITORY, ID, rootName, { kind: 'ended', status: 'succeeded' });
  const endedAt = new Date().toISOString();
  await context.deploymentRecords.write({ version: 1, repository: REPOSITORY, deployment, endedAt });
  await notifyWaves(context, REPOSITORY, deployment);
}

async function deployCanary({ soakMs = 0, most = 1, waves = 1 } = {}): Promise<void> {
  await startRollout(context, {
    ...{ repository: REPOSITORY, sha: SHA, source: 'delivery-1', ordering: [], stopped: [], unfinished: [] },
    roots: ROOTS.map((root) => ({ name: root })),
    waves: ['canary', 'some'].slice(0, waves).map((name) => ({ name, rootNames: ROOTS, most, soakMs })),
    ...{ isOfBranch: true, isRerun: false },
  });
  for (const rootName of ROOTS.slice(0, most)) await isDeployed(rootName);
}

const gate = async (inMs = 0) =>
  askGate('soak', await soakFacts(context, REPOSITORY, of('web', 'queued')), Date.now() + inMs);

const asked = () => server.received().length;

async function stored(): Promise<WaveChecks | undefined> {
  return (await context.waveCheckRecords.read(REPOSITORY, ID, 1))?.checks.body;
}

/** The clock of the worker, while requests go on. */
function setClock(ms: number): void {
  const doNotFake = [
    'setTimeout',
    'setInterval',
    'setImmediate',
    'clearTimeout',
    'clearInterval',
    'clearImmediate',
  ] as const;
  jest.useFakeTimers({ now: ms, doNotFake: [...doNotFake, 'nextTick', 'queueMicrotask', 'performance', 'hrtime'] });
}

describe('the wave after a canary with a check', () => {
  test('waits until a worker has asked, and goes once the check has passed', async () => {
    await deployCanary();
    expect(await gate()).toMatchObject({
      sentence: 'waits for the checks of wave 1 of 2 (canary), which has soaked; the check page has not run yet',
      who: ['operators', 'skip_soak'],
    });

    told = [];
    await checkAll(context);

    expect(await gate()).toEqual({ kind: 'passes' });
    expect(told).toEqual(['acme/infra||dns', 'acme/infra||web']);
    await checkAll(context);
    expect(asked()).toBe(1);
    expect(events).toEqual([]);
  });

  test('is halted by so many failures in a row, with the last answer, and people are told once', async () => {
    server.always(status(500));
    await deployCanary();

    await checkAll(context);
    expect(await gate()).toMatchObject({
      sentence: expect.stringContaining('the check page has failed 1 of 2 times: answered 500, expected 200 to 299'),
    });
    told = [];
    await checkAll(context);

    const sentence = expect.stringMatching(
      /^is halted by wave 1 of 2 \(canary\): its check page failed 2 times in a row, and answered 500, expected 200 to 299\. /,
    );
    expect(await gate()).toMatchObject({ sentence, who: ['rerun', 'skip_soak'] });
    expect(told).toEqual(['acme/infra||dns', 'acme/infra||web']);
    expect(events).toMatchObject([{ kind: 'halted', repository: { owner, name }, revision: SHA, sentence }]);
    await checkAll(context);
    expect(asked()).toBe(2);
    const isHalted = (rootName: string) => isHaltedByCheck(context, REPOSITORY, { sha: SHA, rootName });
    expect([await isHalted('app'), await isHalted('dns'), await isHalted('other')]).toEqual([true, false, false]);
  });

  test('is not halted by failures between which it passed', async () => {
    server.meet(status(500), status(204), status(500));
    await deployCanary({ soakMs: HOUR });

    for (let round = 0; round < 3; round += 1) await checkAll(context);

    expect(await stored()).toMatchObject({ state: 'checking', results: [{ failures: 1 }] });
  });

  test('stays halted if the check would pass again, and goes once a merged fix is deployed and checked', async () => {
    server.meet(status(500), status(500));
    await deployCanary();
    for (let round = 0; round < 3; round += 1) await checkAll(context);
    expect(await gate()).toMatchObject({ sentence: expect.stringContaining('is halted') });

    told = [];
    await isDeployed('app', '2', 2);

    expect(told).toEqual(['acme/infra||dns', 'acme/infra||web']);
    expect(await gate()).toMatchObject({ sentence: expect.stringContaining('the check page has not run yet') });
    await checkAll(context);
    expect(await gate()).toEqual({ kind: 'passes' });
  });

  test('goes once any root of the wave was re-run and checked', async () => {
    server.meet(status(500), status(500));
    await deployCanary({ most: 2 });
    for (let round = 0; round < 2; round += 1) await checkAll(context);

    await isDeployed('dns', 'again');
    await checkAll(context);

    expect(await gate()).toEqual({ kind: 'passes' });
  });

  test('is not resumed by an older commit', async () => {
    server.always(status(500));
    await deployCanary();
    for (let round = 0; round < 2; round += 1) await checkAll(context);

    await isDeployed('app', 'manual', 0);

    expect(await gate()).toMatchObject({ sentence: expect.stringContaining('is halted') });
  });

  test('goes by a check that ran after the soak, and by none before, however short the soak is', async () => {
    checks = [aCheck({ everyMs: HOUR })];
    const start = Date.now();
    await deployCanary({ soakMs: 60_000 });

    await checkAll(context);
    expect(await gate(120_000)).toMatchObject({
      kind: 'waits',
      sentence: expect.stringContaining('; its checks pass so far'),
    });
    await checkAll(context);
    expect(asked()).toBe(1);

    setClock(start + 10 * 60_000);
    expect(await gate()).toMatchObject({ sentence: expect.stringContaining('which has soaked') });
    await checkAll(context);

    expect(asked()).toBe(2);
    expect(await gate()).toEqual({ kind: 'passes' });
  });

  test('goes after somebody skipped the canary, whose checks are asked no more', async () => {
    server.always(status(500));
    await deployCanary();
    const skipped = await testSignatures.enclose('decision/skip-soak', {
      ...{ version: 1, requestId: 'r1', repository: { owner, name }, rollout: ID, wave: 1 },
      ...{ reason: 'the check is wrong', by: 'ada', at: new Date().toISOString() },
    });
    await context.rolloutRecords.skip(REPOSITORY, skipped);

    await checkAll(context);

    expect(asked()).toBe(0);
    expect(await gate()).toEqual({ kind: 'passes' });
  });
});

test('a wave that somebody skipped is told as well, once the checks before it have passed', async () => {
  await deployCanary({ waves: 2 });
  const skipped = {
    ...{ requestId: 'r1', repository: { owner, name }, rollout: ID, wave: 2, reason: 'hurry' },
    by: 'ada',
  };
  const at = new Date().toISOString();
  const signed = await testSignatures.enclose('decision/skip-soak', { version: 1, ...skipped, at });
  await context.rolloutRecords.skip(REPOSITORY, signed);
  told = [];

  await checkAll(context);

  expect(told).toEqual(['acme/infra||dns', 'acme/infra||web']);
});

test('the end of a deployment reads little of earlier merges that no check has halted', async () => {
  await deployCanary();
  await checkAll(context);
  const { rolloutRecords } = context;
  const ofRevision = jest.fn<typeof rolloutRecords.ofRevision>((...asked) => rolloutRecords.ofRevision(...asked));
  context = { ...context, rolloutRecords: { ...rolloutRecords, ofRevision } };

  await isDeployed('app', '2', 2);

  expect(ofRevision).not.toHaveBeenCalled();
});

test('a rollout whose server does not answer holds up no other one', async () => {
  server.always(status(500));
  await deployCanary();
  await context.waveCheckRecords.add(REPOSITORY, `${shaAt(0)}/other`);
  const hangs = Promise.withResolvers<undefined>();
  const { rolloutRecords } = context;
  const read: typeof rolloutRecords.read = (repository, id) =>
    id === ID ? rolloutRecords.read(repository, id) : hangs.promise;

  const stop = keepChecking({ ...context, rolloutRecords: { ...rolloutRecords, read } }, 20);

  while ((await stored())?.state !== 'halted') await sleep(20);
  expect(asked()).toBe(2);
  hangs.resolve(undefined);
  await stop();
});

describe('what came of checks', () => {
  test('counts only as control signed it', async () => {
    await deployCanary();
    const at = new Date().toISOString();
    const made = { version: 1, repository: { owner, name }, rollout: ID, wave: 1, since: at, at, results: [] } as const;
    const body = { ...made, state: 'passed' } as const;
    await context.waveCheckRecords.write(await strangers.enclose('decision/wave-checks', body), undefined);
    expect(await gate()).toMatchObject({ kind: 'waits' });

    await checkAll(context);

    expect(asked()).toBe(1);
    expect(await gate()).toEqual({ kind: 'passes' });
  });

  test('of another wave, signed, counts for nothing', async () => {
    await deployCanary();
    const at = new Date().toISOString();
    const made = { version: 1, repository: { owner, name }, rollout: ID, wave: 2, since: at, at, results: [] } as const;
    const other = await testSignatures.enclose('decision/wave-checks', { ...made, state: 'passed' });
    const moved = { ...context.waveCheckRecords, read: async () => ({ checks: other, version: 'v' }) };

    const facts = await soakFacts({ ...context, waveCheckRecords: moved }, REPOSITORY, of('web', 'queued'));

    expect(askGate('soak', facts, Date.now())).toMatchObject({ kind: 'waits' });
  });

  test('is counted once where two workers ask at once', async () => {
    server.always(status(500));
    await deployCanary();

    await Promise.all([checkAll(context), checkAll(context)]);

    expect(await stored()).toMatchObject({ state: 'checking', results: [{ failures: 1 }] });
  });

  test('is forgotten of a check that the file has no more, and another one is waited for', async () => {
    server.always(status(500));
    await deployCanary();
    await checkAll(context);
    checks = [aCheck({ name: 'health', target: { kind: 'http', url: server.url, status: 500 } })];
    expect(await gate()).toMatchObject({ sentence: expect.stringContaining('the check health has not run yet') });

    await checkAll(context);

    expect(await stored()).toMatchObject({ state: 'passed', results: [{ check: 'health' }] });
  });

  test('is needed no more once the file has no checks of the wave', async () => {
    await deployCanary();
    checks = [];

    expect(await gate()).toEqual({ kind: 'passes' });
  });
});

test('the list of rollouts that are checked mends itself, whenever somebody waits', async () => {
  await deployCanary();
  for (const key of await context.waveCheckRecords.list()) await context.waveCheckRecords.remove(key);
  await gate();

  await checkAll(context);

  expect(await gate()).toEqual({ kind: 'passes' });
});

test('a worker that was killed before it told anybody is made up for, with the same event', async () => {
  server.always(status(500));
  await deployCanary();
  await checkAll(context);
  const killed = { ...context, publish: () => Promise.reject(new Error('killed')) };
  await checkAll(killed);
  expect(await stored()).toMatchObject({ state: 'halted' });

  await checkAll(context);

  expect(events).toMatchObject([{ kind: 'halted' }]);
  expect(asked()).toBe(2);
});

test('a rollout that is gone holds up no other, and is forgotten', async () => {
  await deployCanary();
  await context.waveCheckRecords.add(REPOSITORY, `${shaAt(0)}/gone`);

  await checkAll(context);

  expect(await gate()).toEqual({ kind: 'passes' });
  expect(await context.waveCheckRecords.list()).toEqual([]);
});
