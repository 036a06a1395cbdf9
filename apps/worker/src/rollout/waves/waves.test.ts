/** The waves of a merge, by what storage knows: a canary that fails, is fixed, and lets the rest go on. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Deployment, EndedStatus } from '@nereid/domain/deployment';
import { askGate } from '@nereid/domain/gates';
import type { WaveRule } from '@nereid/domain/rollout';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { deploymentAt, progressAs, REPOSITORY, shaAt } from '@nereid/domain/testing';
import { createBegunApplies, createDeploymentRecords, createRolloutRecords } from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { pino } from 'pino';
import { testSignatures } from '../../testing/test-signatures.ts';
import { notifyWaves } from './notify-waves.ts';
import { soakFacts } from './soak-facts.ts';
import { startRollout } from '../start-rollout.ts';

const SHA = shaAt(1);
const ID = `${SHA}/delivery-1`;
const ROOTS = ['app', 'dns', 'web'];
const CANARY = { name: 'canary', rootNames: ROOTS, most: 1, soakMs: 3_600_000 };

const store = storeOfEachTest();
let context: Parameters<typeof notifyWaves>[0];
let told: string[];

beforeEach(() => {
  told = [];
  context = {
    rolloutRecords: createRolloutRecords(store),
    deploymentRecords: createDeploymentRecords(store),
    begunApplies: createBegunApplies(store),
    signatures: testSignatures,
    server: { current: () => ({ waves: [{ ...CANARY, checks: [] }] }) },
    logger: pino({ level: 'silent' }),
    mirrors: { isKnownAncestor: async (_repository: unknown, one: string, other: string) => one <= other },
    forge: { commits: { compare: () => Promise.reject(new Error('GitHub was asked')) } },
    temporal: {
      withDeadline: (_deadline: number, act: () => Promise<unknown>) => act(),
      workflow: { getHandle: (id: string) => ({ signal: async () => void told.push(id) }) },
    },
  } as unknown as typeof context; // What is used of it.
});

interface Started {
  readonly source?: string;
  readonly roots?: readonly string[];
  readonly soakMs?: number;
  readonly waves?: readonly WaveRule[];
}

function start({ source = 'delivery-1', roots = ROOTS, soakMs = CANARY.soakMs, waves }: Started = {}) {
  return startRollout(context, {
    ...{ repository: REPOSITORY, sha: SHA, source, ordering: [], stopped: [], unfinished: [], isOfBranch: true },
    roots: roots.map((name) => ({ name })),
    waves: waves ?? [{ ...CANARY, soakMs }],
    isRerun: source !== 'delivery-1',
  });
}

function of(rootName: string, status: Deployment['progress']['status'], revision = 1): Deployment {
  const deployment = deploymentAt(revision);
  return {
    ...deployment,
    id: `${rootName}-${revision}`,
    root: { ...deployment.root, name: rootName },
    ...(revision === 1 && { together: { rollout: ID, waves: ID } }),
    progress: progressAs(status),
  };
}

/** As control stores it. The time comes from Temporal. */
async function ends(
  rootName: string,
  status: EndedStatus,
  revision = 1,
  endedAt = new Date().toISOString(),
): Promise<void> {
  const deployment = of(rootName, status, revision);
  if (revision === 1) await context.rolloutRecords.end(REPOSITORY, ID, rootName, { kind: 'ended', status });
  await context.deploymentRecords.write({ version: 1, repository: REPOSITORY, deployment, endedAt });
  await notifyWaves(context, REPOSITORY, deployment);
}

const gateOf = async (rootName: string, inMs = 0) =>
  askGate('soak', await soakFacts(context, REPOSITORY, of(rootName, 'queued')), Date.now() + inMs);

const skipped = (wave: number) =>
  testSignatures.enclose('decision/skip-soak', {
    ...{ version: 1, requestId: 'r1', repository: { owner: REPOSITORY.owner, name: REPOSITORY.name }, rollout: ID },
    ...{ wave, reason: 'the metrics are fine', by: 'ada', at: new Date().toISOString() },
  });

describe('the wave after a canary', () => {
  test('waits for it, then for its soak, and the lanes are told when that begins', async () => {
    const started = await start();

    expect(started?.ordered.together).toEqual({ rollout: ID, waves: ID });
    expect(await gateOf('app')).toEqual({ kind: 'passes' });
    expect(await gateOf('web')).toMatchObject({
      sentence: 'waits for wave 1 of 2 (canary): app; then it soaks for 1h',
      who: ['other lanes', 'skip_soak'],
    });

    await ends('app', 'succeeded');

    expect(told).toEqual(['acme/infra||dns', 'acme/infra||web']);
    expect(await gateOf('web')).toMatchObject({ kind: 'waits', who: ['skip_soak'], until: expect.any(Number) });
    expect(await gateOf('web', CANARY.soakMs + 60_000)).toEqual({ kind: 'passes' });
  });

  test('is halted by its failure, and resumed by a fix, which soaks in its place', async () => {
    await start({ soakMs: 0 });
    await ends('app', 'apply-failed');

    expect(await gateOf('web')).toMatchObject({
      sentence: expect.stringMatching(/^is halted by wave 1 of 2 \(canary\): app failed to apply\. /),
      who: ['rerun', 'skip_soak'],
    });

    told = [];
    await ends('app', 'plan-failed', 2);
    expect(await gateOf('web')).toMatchObject({ kind: 'waits' });
    await ends('app', 'succeeded', 3);

    expect(told).toEqual(['acme/infra||dns', 'acme/infra||web']);
    expect(await gateOf('web')).toEqual({ kind: 'passes' });
  });

  test('soaks after a fix from when its host stored its end, however long ago Temporal says that was', async () => {
    await start();
    await ends('app', 'apply-failed');
    const applies = context.begunApplies.of(DEFAULT_POOL);
    await applies.begin('app-3', { hostId: 'host-1', jobId: 'app-3-apply-1' });
    const counts = { added: 1, changed: 0, destroyed: 0, imported: 0 };
    await applies.complete('app-3', { kind: 'applied', counts });

    await ends('app', 'succeeded', 3, '2026-01-31T14:00:00.000Z');

    expect(await gateOf('web')).toMatchObject({ kind: 'waits', until: expect.any(Number), who: ['skip_soak'] });
    expect(await gateOf('web', CANARY.soakMs + 60_000)).toEqual({ kind: 'passes' });
  });

  test('is resumed by a re-run, which waits for the waves of its merge itself', async () => {
    await start({ soakMs: 0 });
    await ends('app', 'rejected');
    const rerun = await start({ source: 'delivery-2', roots: ['app'] });

    expect(rerun?.ordered.together).toEqual({ rollout: `${SHA}/delivery-2`, waves: ID });
    const end = { kind: 'ended', status: 'no-changes' } as const;
    await context.rolloutRecords.end(REPOSITORY, `${SHA}/delivery-2`, 'app', end);

    expect(await gateOf('web')).toEqual({ kind: 'passes' });
  });

  test('goes at once after somebody skipped the canary, as control signed it, and not another wave', async () => {
    await start();
    const signed = await skipped(1);
    await context.rolloutRecords.skip(REPOSITORY, { ...signed, signature: 'made up' });
    expect(await gateOf('web')).toMatchObject({ kind: 'waits' });

    await context.rolloutRecords.skip(REPOSITORY, signed);

    expect(await gateOf('web')).toEqual({ kind: 'passes' });
  });

  test('waits for it as well after somebody skipped a later wave', async () => {
    await start({ waves: [CANARY, { ...CANARY, name: 'some' }] });
    await context.rolloutRecords.skip(REPOSITORY, await skipped(2));

    expect(await gateOf('dns')).toMatchObject({ sentence: expect.stringMatching(/^waits for wave 1 of 3 /) });
    expect(await gateOf('web')).toMatchObject({ sentence: expect.stringMatching(/^waits for wave 1 of 3 /) });
  });

  test('is told together with the one after it, if somebody skipped it, and both know when they may go', async () => {
    await start({ waves: [CANARY, { ...CANARY, name: 'some' }] });
    await context.rolloutRecords.skip(REPOSITORY, await skipped(2));

    await ends('app', 'succeeded');

    expect(told).toEqual(['acme/infra||dns', 'acme/infra||web']);
    expect(await gateOf('web')).toMatchObject({ kind: 'waits', until: expect.any(Number) });
  });

  test('is told alone, if nobody skipped it, and the one after it does not know when it may go', async () => {
    await start({ waves: [CANARY, { ...CANARY, name: 'some' }] });

    await ends('app', 'succeeded');

    expect(told).toEqual(['acme/infra||dns']);
    expect(await gateOf('web')).not.toHaveProperty('until');
  });

  test('is told once that it is halted, however many others of the wave end after that', async () => {
    await start({ waves: [{ ...CANARY, most: 2 }] });
    await ends('app', 'apply-failed');
    await ends('dns', 'succeeded');

    expect(told).toEqual(['acme/infra||web']);
  });
});

test('a deployment whose merge has no waves asks storage for nothing', async () => {
  const rolloutRecords = { read: () => Promise.reject(new Error('storage was asked')) };
  const asking = { ...context, rolloutRecords } as unknown as typeof context; // What would be used of it.
  const { together: _none, ...alone } = of('web', 'queued');

  expect(await soakFacts(asking, REPOSITORY, alone)).toEqual({});
});

test('a merge whose waves are not in storage waits for operators', async () => {
  expect(await gateOf('web')).toMatchObject({ kind: 'waits', who: ['operators'] });
});
