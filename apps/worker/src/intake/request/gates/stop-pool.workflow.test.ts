import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import type { RequestFor } from '@nereid/domain/intake';
import { openObjectStore } from '@nereid/storage';
import { intakeStageOfThisFile } from '../../testing/intake-stage.ts';
import { BACKEND } from '../../testing/staged-repository.ts';

const ROOTS = { 'network/main.tf': BACKEND };

const STOP: RequestFor<'stop_pool'> = { action: 'stop_pool', pool: '*', for: '2h', reason: 'an incident' };
const THAW: RequestFor<'thaw_pool'> = { action: 'thaw_pool', pool: '*' };

const stage = intakeStageOfThisFile();

/** All tests have the one record of pools. */
beforeEach(() => stage.context.stopRecords.changePools(() => ({ stops: [], thawed: [] })));

afterEach(() => stage.standIn.assertNoRefusedRequests());

const poolStops = async () => (await stage.context.stopRecords.readPools()).stops;

/** A repository in which a deployment is under way, with or without permission to apply. */
async function underWay({ isApplied = false, pool = 'default' } = {}) {
  const infra = await stage.repository(ROOTS);
  const deployment = await stage.deployment();
  const waiting = aDeployment({ status: 'blocked', plan: aPlan() });
  const root = { ...waiting.root, name: 'network', dir: 'network', ...(pool !== 'default' && { pool }) };
  const running = { ...waiting, id: deployment.id, root, revision: { ...waiting.revision, sha: await infra.head() } };
  await infra.review(running);
  if (isApplied) await infra.lane('network').mayApply(running, pool);
  return { infra, deployment };
}

async function breakRecord() {
  const store = await openObjectStore(stage.storage);
  await store.put('stops/pools.json', Buffer.from('{'));
  store.close();
}

/** The server with a pool besides `default`. */
function withPool() {
  const current = stage.context.server.current();
  return { current: () => ({ ...current, pools: [{ name: 'gpu', labels: ['cuda'] }] }) };
}

describe('a stop of all repositories', () => {
  test('is signed and stored, and its answer names the applies that run or may begin, and no other', async () => {
    const { infra } = await underWay({ isApplied: true });
    const other = await underWay();

    const result = await stage.askOperators(STOP, { delivery: 'request-1' });

    expect(result).toMatchObject({
      kind: 'signalled',
      sentence: expect.stringMatching(/^@ada stopped all repositories until .* UTC; these applies go on, or begin/),
    });
    expect(result.sentence).toContain(`${infra.fullName}/network`);
    expect(result.sentence).not.toContain(other.infra.fullName);
    const [stop] = await poolStops();
    await expect(stage.context.signatures.open('decision/pool-stop', stop, { pool: '*' })).resolves.toMatchObject({
      body: { requestId: 'request-1', by: 'ada', reason: 'an incident' },
    });
    const { at = '', until = '' } = stop?.body ?? {};
    expect(Date.parse(until) - Date.parse(at)).toBe(7_200_000);
    expect(result.userActions?.map(({ body }) => body.action)).toEqual([STOP]);
  });

  test.each([
    ['by a person who is no operator', STOP, 'wim', /^@wim may not stop all repositories or a pool: ask @ada$/],
    [
      'for longer than a week',
      { ...STOP, for: '8d' },
      'ada',
      /^expected a time from 1m to 7d for a stop, like 2h, found 8d; for longer, add a freeze/,
    ],
    [
      'of an unknown pool',
      { ...STOP, pool: 'gpu' },
      'ada',
      /^expected a pool of the server's file \(default\), found "gpu"$/,
    ],
  ] as const)('%s is refused, and nothing is stored', async (_what, request, sender, sentence) => {
    const result = await stage.askOperators(request, { sender });

    expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringMatching(sentence) });
    expect(await poolStops()).toEqual([]);
  });

  test('takes a token for all repositories', async () => {
    const result = await stage.askOperators(STOP, { proof: { mode: 'token', token: 'token of some' } });

    expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('for some repositories only') });
    expect(await poolStops()).toEqual([]);
  });

  test('that is asked for twice is one', async () => {
    await stage.askOperators(STOP, { delivery: 'request-2' });
    await stage.askOperators(STOP, { delivery: 'request-2' });

    expect(await poolStops()).toHaveLength(1);
  });

  test('while the record cannot be read is refused, and the record stays', async () => {
    await breakRecord();

    expect(await stage.askOperators(STOP)).toMatchObject({
      kind: 'refused',
      sentence: expect.stringMatching(
        /^stops\/pools\.json cannot be read, so nothing begins.* nereid thaw --all replaces/,
      ),
    });
    await expect(poolStops()).rejects.toHaveProperty('code', 'BROKEN_RECORD');
    await stage.askOperators(THAW);
  });
});

describe('a stop of a pool', () => {
  test('is of the pool that has the label, and names the applies on its hosts alone', async () => {
    const { infra } = await underWay({ isApplied: true, pool: 'gpu' });
    const other = await underWay({ isApplied: true });

    const result = await stage.askOperators({ ...STOP, pool: 'cuda' }, { server: withPool() });

    expect(result.sentence).toMatch(/^@ada stopped the pool gpu until/);
    expect(result.sentence).toContain(`${infra.fullName}/network`);
    expect(result.sentence).not.toContain(other.infra.fullName);
    expect((await poolStops()).map(({ body }) => body.pool)).toEqual(['gpu']);
  });
});

describe('a thaw', () => {
  test('of all repositories ends their stops, leaves those of pools, and rings what waits', async () => {
    const { deployment } = await underWay();
    await stage.askOperators(STOP);
    await stage.askOperators({ ...STOP, pool: 'default' });

    const result = await stage.askOperators(THAW);

    expect(result).toMatchObject({
      kind: 'signalled',
      sentence: expect.stringMatching(/^@ada ended the stops that cover all repositories: deployments go on, unless/),
    });
    expect((await poolStops()).map(({ body }) => body.pool)).toEqual(['default']);
    expect((await deployment.signals()).map(([name]) => name)).toEqual(['ask-again']);
  });

  test('of a pool rings what waits there, and nothing else', async () => {
    const there = await underWay({ pool: 'gpu' });
    const other = await underWay();
    const server = withPool();
    await stage.askOperators({ ...STOP, pool: 'gpu' }, { server });

    await stage.askOperators({ ...THAW, pool: 'gpu' }, { server });

    expect(await poolStops()).toEqual([]);
    expect((await there.deployment.signals()).map(([name]) => name)).toEqual(['ask-again']);
    expect(await other.deployment.signals()).toEqual([]);
  });

  test('of all replaces a record that cannot be read; a thaw of a pool does not', async () => {
    await breakRecord();

    const ofPool = await stage.askOperators({ ...THAW, pool: 'default' });
    const ofAll = await stage.askOperators(THAW);

    expect(ofPool).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('nereid thaw --all') });
    expect(ofAll).toMatchObject({ kind: 'signalled', sentence: expect.stringContaining('could not be read') });
    expect(await poolStops()).toEqual([]);
  });

  test('of a pool that has left the file ends its stops, and is refused where there are none', async () => {
    const server = withPool();
    await stage.askOperators({ ...STOP, pool: 'gpu' }, { server });

    expect(await stage.askOperators({ ...THAW, pool: 'gpu' })).toMatchObject({ kind: 'signalled' });
    expect(await stage.askOperators({ ...THAW, pool: 'gpu' })).toMatchObject({ kind: 'refused' });
    expect(await poolStops()).toEqual([]);
  });

  test('lifts no stop that came later, and a stop that is sent again after it is not made again', async () => {
    const receivedAt = new Date(Date.now() - 60_000).toISOString();
    await stage.askOperators(STOP);
    await stage.askOperators(THAW, { receivedAt });
    expect(await poolStops()).toHaveLength(1);

    await stage.askOperators(THAW);
    const again = await stage.askOperators(STOP, { receivedAt });

    expect(again).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('was thawed after you asked') });
    expect(await poolStops()).toEqual([]);
  });
});
