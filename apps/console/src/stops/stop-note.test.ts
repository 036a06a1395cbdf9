/** What is stopped is said on the pages that people look at, before anything has to wait for it. */
import { describe, expect, test } from '@jest/globals';
import type { PoolStop, Stop } from '@nereid/domain/gates';
import type { BreakGlass } from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { createStopRecords } from '@nereid/storage';
import { lettingIn } from '../login/testing.ts';
import { aConsole, API_TOKEN, REPOSITORY, TOKEN, type Outside } from '../testing.ts';
import { aGlass, aPoolStop, aStop, CONTROL_KEYS, isoIn } from './testing.ts';

const REVIEW = aDeployment({ status: 'awaiting-review', plan: aPlan() });
const DEPLOYMENT = `/deployments/${REVIEW.id}?lane=acme%2Finfra%2Fnetwork`;
const ROLLOUT = `/rollouts/acme/infra/${REVIEW.revision.sha}`;
const LANE = '/lanes/acme/infra/network';
const WAITS = `/api/v1${LANE}/waits`;

interface Stopped {
  readonly pools?: readonly Signed<PoolStop>[];
  readonly stops?: readonly Signed<Stop>[];
  readonly glass?: readonly Signed<BreakGlass>[];
}

async function stopped({ pools = [], stops = [], glass = [] }: Stopped, outside: Outside = {}) {
  const lane = { running: REVIEW };
  const console = await aConsole({ controlKeys: CONTROL_KEYS, lane, live: lane, ...outside });
  const records = createStopRecords(console.store);
  await records.changePools((found) => ({ ...found, stops: pools }));
  await records.change(REPOSITORY, (found) => ({ ...found, stops, glass }));
  return Object.assign(
    async (path: string, headers?: Record<string, string>) => (await console.get(path, headers)).text(),
    { pathOf: console.pathOf },
  );
}

test.each([
  ['/', ''],
  ['/lanes', ''],
  ['/rollouts', ''],
  [ROLLOUT, '../../../'],
  [LANE, '../../../'],
  [`${LANE}/fragment`, '../../../'],
  [DEPLOYMENT, '../'],
])('%s says who has stopped what, why, and where to end it', async (path, toTop) => {
  const pools = [await aPoolStop('*', { reason: '<an incident' })];
  const read = await stopped({ pools, stops: [await aStop()] }, { isLocal: true });

  const page = await read(path);

  expect(page).toMatch(/Stopped: all repositories, by @ada, ends\s+<time/);
  expect(page).toContain('<bdi>&lt;an incident</bdi>');
  expect(page).toContain(`<a href="${toTop}stops">1 more stop</a>`);
});

describe('the page of a deployment', () => {
  test.each<[string, () => Promise<Stopped>]>([
    ['another pool', async () => ({ pools: [await aPoolStop('gpu')] })],
    ['other directories', async () => ({ stops: [await aStop({ directories: ['elsewhere/**'] })] })],
  ])('is silent about a stop of %s', async (_what, of) => {
    expect(await (await stopped(await of(), { isLocal: true }))(DEPLOYMENT)).not.toContain('Stopped');
  });

  test('that waits for a thaw says it once, and leads to where people end it', async () => {
    const waitsFor = { gate: 'stop', who: ['thaw'] } as const;
    const reason = 'Stopped by ada until Mon 08:00 UTC: an incident. nereid thaw acme/infra ends it';
    const running = aDeployment({ status: 'blocked', reason, waitsFor });
    const lane = { running };
    const read = await stopped({ stops: [await aStop()] }, { isLocal: true, lane, live: lane });

    const page = await read(`/deployments/${running.id}?lane=acme%2Finfra%2Fnetwork`);

    expect(page).toContain(`${reason}. <a href="../stops">What is stopped</a>`);
    expect(page).not.toContain('Stopped: ');
  });
});

describe('nothing is said', () => {
  const forged = async () => ({ ...(await aPoolStop('*')), signature: 'a..b' });

  test.each<[string, () => Promise<Stopped>, Outside]>([
    ['of a stop that somebody else signed', async () => ({ pools: [await forged()] }), {}],
    ['by a console that can verify none', async () => ({ pools: [await aPoolStop('*')] }), { controlKeys: [] }],
  ])('%s', async (_what, of, outside) => {
    const read = await stopped(await of(), { isLocal: true, ...outside });

    expect(await read('/')).not.toContain('Stopped: ');
    expect(await read(DEPLOYMENT)).not.toContain('Stopped: ');
    expect(await read(WAITS)).not.toContain('would wait');
  });

  test('to people who see no repository', async () => {
    const login = { policy: undefined, askAccess: lettingIn(() => false), tokens: [API_TOKEN] } as const;
    const read = await stopped({ pools: [await aPoolStop('*')], stops: [await aStop()] }, { login });
    const headers = { authorization: `Bearer ${TOKEN}` };

    expect(await read('/', headers)).not.toContain('Stopped');
    expect(await read('/lanes', headers)).not.toContain('Stopped');
  });

  test('to people who came by the link of a check run', async () => {
    const read = await stopped({ pools: [await aPoolStop('*')] }, {});

    const page = await read(read.pathOf(REVIEW.id));

    expect(page).toContain('Waiting for a review');
    expect(page).not.toContain('Stopped');
  });
});

test('a plan in review says what its apply would wait for, and who can end that', async () => {
  const pools = [await aPoolStop('*', { by: 'olga' }), await aPoolStop('gpu')];
  const { items } = JSON.parse(await (await stopped({ pools }, { isLocal: true }))(WAITS)) as Waits;

  expect(items[0]?.reasons).toMatchObject([
    { gate: 'review' },
    {
      gate: 'stop',
      sentence: expect.stringMatching(
        /^its apply would wait: Stopped for all repositories by olga until .* UTC: an incident\. nereid thaw --all ends it$/,
      ),
      who: [expect.stringContaining('Thaw: an operator')],
    },
  ]);
});

describe('a deployment that waits for a wave', () => {
  const reason = 'waits for wave 1 of 2 (canary): edge-1';
  const waitsFor = { gate: 'soak', who: ['other lanes', 'skip_soak'] } as const;
  const running = aDeployment({ status: 'blocked', reason, waitsFor });
  const lane = { running };
  const freeze: NonNullable<Outside['windows']>[number] = {
    ...{ name: 'Year end', kind: 'deny', dtstart: isoIn(-3_600_000).slice(0, 16), durationMs: 7_200_000 },
    ...{ timezone: 'UTC', doors: ['plan', 'apply'], repositories: [], roots: [] },
  };
  const reasonsWith = async (more: Stopped) => {
    const read = await stopped(more, { isLocal: true, lane, live: lane, windows: [freeze] });
    return (JSON.parse(await read(WAITS)) as Waits).items[0]?.reasons;
  };

  test('says what else would hold its plan: a stop, and a window that is closed', async () => {
    expect(await reasonsWith({ stops: [await aStop()] })).toMatchObject([
      { gate: 'soak', sentence: reason },
      { gate: 'stop', sentence: expect.stringMatching(/^its plan would wait: Stopped by /) },
      { gate: 'window', sentence: expect.stringMatching(/^its plan would wait: Closed until .*“Year end”/) },
    ]);
  });

  test('says neither once somebody lets its plan pass', async () => {
    const glass = await aGlass({ deploymentId: running.id });

    expect(await reasonsWith({ stops: [await aStop()], glass: [glass] })).toMatchObject([{ gate: 'soak' }]);
  });
});

describe('of a deployment that somebody lets pass', () => {
  const { digest } = aPlan().made.body;
  const { id: deploymentId } = REVIEW;
  const itemWith = async (glass: Signed<BreakGlass>, outside: Outside = {}) => {
    const read = await stopped({ stops: [await aStop()], glass: [glass] }, { isLocal: true, ...outside });
    return (JSON.parse(await read(WAITS)) as Waits).items[0];
  };

  test('the answer says by whom, why, since when and until when, and of no stop', async () => {
    const glass = await aGlass({ deploymentId, digest });

    const item = await itemWith(glass);

    const { by, reason, at, until } = glass.body;
    expect(item?.glass).toEqual({ by, reason, at, until, door: 'apply' });
    expect(item?.reasons).toMatchObject([{ gate: 'review' }]);
  });

  test('before its plan, it says that this is for its plan', async () => {
    const queued = aDeployment({ status: 'queued' });
    const lane = { running: queued };

    const item = await itemWith(await aGlass({ deploymentId: queued.id }), { lane, live: lane });

    expect(item?.glass).toMatchObject({ door: 'plan' });
  });

  test.each<[string, () => Promise<Signed<BreakGlass>>]>([
    ['another plan', () => aGlass({ deploymentId, digest: 'b'.repeat(64) })],
    ['another deployment', () => aGlass({ deploymentId: 'd2', digest })],
    ['the past', () => aGlass({ deploymentId, digest, until: isoIn(-1_000) })],
    ['a stranger', async () => ({ ...(await aGlass({ deploymentId, digest })), signature: 'a..b' })],
  ])('nothing is said of an exception of %s', async (_whose, glass) => {
    const item = await itemWith(await glass());

    expect(item).not.toHaveProperty('glass');
    expect(item?.reasons).toMatchObject([{ gate: 'review' }, { gate: 'stop' }]);
  });
});

interface Waits {
  readonly items: readonly { readonly reasons: readonly object[]; readonly glass?: object }[];
}
