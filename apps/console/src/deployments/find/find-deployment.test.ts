/** Who is asked about a deployment, and who is believed. */
import { describe, expect, test } from '@jest/globals';
import type { DeploymentDetail } from '@nereid/api';
import { revertIdOf, type Deployment } from '@nereid/domain/deployment';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { createPullRequestRecords } from '@nereid/storage';
import { lettingIn } from '../../login/testing.ts';
import { aConsole, REPOSITORY, RUNNING, TOKEN, type Outside } from '../../testing.ts';

const QUEUED_AT = '2026-01-31T13:59:00.000Z';
const preparing = aDeployment({ status: 'preparing', times: { queued: QUEUED_AT } });
const queued = aDeployment({ status: 'queued' });
const { progress: awaitingReview } = aDeployment({ status: 'awaiting-review', plan: aPlan(), times: {} });

describe('a deployment of a lane that runs', () => {
  test('is as far as its own workflow says, was queued when its lane says, and needs no storage', async () => {
    const { ask, reads } = await asked({
      lane: { merged: [queued] },
      live: { running: preparing },
      progress: awaitingReview,
    });

    expect(await ask()).toMatchObject({
      progress: { status: 'awaiting-review', plan: { digest: aPlan().made.body.digest }, times: { queued: QUEUED_AT } },
      unavailable: [],
    });
    expect(reads).toEqual([]);
  });

  test('has the warnings of its lane, and a plan with a warning is another one to those who answer it', async () => {
    const { warning = '', ...plain } = { ...preparing, warning: 'This plan removes what abc brought.' };
    const shown = async (running: typeof preparing) => {
      const { ask } = await asked({ live: { running }, progress: awaitingReview });
      return (await ask()) as DeploymentDetail; // As the description of the API says.
    };

    const warned = await shown({ ...plain, warning });
    const renamed = await shown({ ...plain, formerly: { rootName: 'before' } });
    const other = await shown(plain);

    expect([warned.warnings, renamed.warnings, other.warnings]).toEqual([
      [warning],
      [expect.stringContaining('deployed as before before')],
      [],
    ]);
    expect(new Set([warned, renamed, other].map((one) => one.seen)).size).toBe(3);
  });

  test('says that a window closes soon, on its page and in the API', async () => {
    const dtstart = new Date(Date.now() + 3_600_000).toISOString().slice(0, 16);
    const window = { name: 'Year end', kind: 'deny', dtstart, durationMs: 3_600_000, timezone: 'UTC' } as const;
    const scope = { doors: ['apply'], repositories: [], roots: ['infra/**'] } as const;
    const { ask, page } = await asked({
      ...{ live: { running: preparing }, progress: awaitingReview },
      windows: [{ ...window, ...scope }],
    });

    const said = /Closes \w{3} \d\d:\d\d UTC \(change freeze “Year end”\)/;
    expect(await ask()).toMatchObject({ warnings: [expect.stringMatching(said)] });
    expect(await page()).toMatch(said);
  });

  test('is what its lane says before it has a workflow of its own', async () => {
    const blocked = aDeployment({ status: 'blocked', reason: 'Cannot compare: 502' });

    const { ask } = await asked({ live: { running: blocked } });

    expect(await ask()).toMatchObject({ progress: { status: 'blocked' }, unavailable: [] });
  });

  test('waits although its record still says nothing of it', async () => {
    const { ask, reads } = await asked({ live: { merged: [queued] } });

    expect(await ask()).toMatchObject({ progress: { status: 'queued' }, ahead: 0, unavailable: [] });
    expect(reads).toEqual([]);
  });

  test('that ended has ended before anybody has stored it', async () => {
    const { ask } = await asked({ live: { ended: [aDeployment({ status: 'succeeded' })] } });

    expect(await ask()).toMatchObject({ progress: { status: 'succeeded' }, unavailable: [] });
  });

  test('whose outcome is unknown to the lane does not go on because its workflow was ended while it applied', async () => {
    const lost = aDeployment({ status: 'apply-outcome-unknown' });
    const { progress } = aDeployment({ status: 'applying' });

    const { ask } = await asked({ live: { ended: [lost] }, progress });

    expect(await ask()).toMatchObject({ progress: { status: 'apply-outcome-unknown' } });
  });
});

describe('a deployment that ended', () => {
  test('is what its own record says, whatever anybody answers', async () => {
    const { ask, records } = await asked({ lane: { running: preparing }, areWorkersAway: true });
    const deployment = aDeployment({ status: 'succeeded' });
    await records.write({ version: 1, repository: REPOSITORY, deployment, endedAt: QUEUED_AT });

    expect(await ask()).toMatchObject({ progress: { status: 'succeeded' }, endedAt: QUEUED_AT, unavailable: [] });
  });
});

describe('a deployment whose apply failed', () => {
  const failed = aDeployment({ status: 'apply-failed' });
  const id = revertIdOf(failed.id);

  async function askedWith(plan: Partial<Deployment>, outside: Outside = {}) {
    const { ask, records, previews } = await asked(outside);
    await records.write({ version: 1, repository: REPOSITORY, deployment: failed, endedAt: QUEUED_AT });
    const [headSha, baseSha] = [failed.revision.sha, 'abc1234'.padEnd(40, '0')];
    const reverts = { deploymentId: failed.id, pullRequest: 42 };
    const preview = { headSha, baseSha, expiresAt: QUEUED_AT, reverts };
    const revision = { ...failed.revision, sha: baseSha };
    const deployment = { ...planned, id, revision, trigger: 'preview', preview, ...plan } as const;
    await previews.writePreview({ version: 1, repository: REPOSITORY, deployment, endedAt: QUEUED_AT });
    return ask();
  }
  const planned = aDeployment({ status: 'planned', plan: aPlan({ hasChanges: false }) });

  test('says what going back would do, once that is planned', async () => {
    expect(await askedWith({})).toMatchObject({
      revert: {
        deploymentId: id,
        sentence: 'Going back to abc1234 would change nothing.',
        way: 'To go back, press Revert on #42.',
        pullRequest: expect.stringMatching(/\/acme\/infra\/pull\/42$/),
      },
    });
  });

  test('says nothing of a plan that is not made, or of another deployment', async () => {
    const { preview: _none, ...others } = planned;

    expect(await askedWith({ progress: aDeployment({ status: 'planning' }).progress })).not.toHaveProperty('revert');
    expect(await askedWith({ ...others, id, preview: PARENTS })).not.toHaveProperty('revert');
  });

  test.each([
    [failed.id, true],
    ['another', false],
  ])('says so as long as nothing else was applied: the last one is %s', async (deploymentId, isSaid) => {
    const { revision, trigger } = failed;
    const latest = { deploymentId, revision: revision.sha, trigger, status: 'apply-failed', at: QUEUED_AT } as const;

    expect('revert' in ((await askedWith({}, { lane: { latest } })) as object)).toBe(isSaid); // An answer of the API.
  });
});

describe('a deployment of a lane that does not run', () => {
  test('is what the record of the lane says, and as far as its own workflow says', async () => {
    const { ask } = await asked({ lane: { running: preparing }, progress: awaitingReview });

    expect(await ask()).toMatchObject({ progress: { status: 'awaiting-review' }, unavailable: [] });
  });
});

describe('where nobody answers, the page shows what is stored, and says that', () => {
  test('Temporal is away', async () => {
    const { ask } = await asked({ lane: { merged: [queued] }, isTemporalAway: true });

    expect(await ask()).toMatchObject({ progress: { status: 'queued' }, unavailable: ['temporal'] });
  });

  test('the workers are away', async () => {
    const { ask, page } = await asked({ lane: { running: preparing }, areWorkersAway: true });

    expect(await ask()).toMatchObject({ progress: { status: 'preparing' }, unavailable: ['workers'] });
    expect(await page()).toContain('The workers do not answer at the moment');
  });

  test('only the deployment’s own workflow does not answer', async () => {
    const { ask } = await asked({ live: { running: preparing }, progress: 'silent' });

    expect(await ask()).toMatchObject({ progress: { status: 'preparing' }, unavailable: ['workers'] });
  });

  test('but a deployment that waits has no workflow to ask', async () => {
    const { ask } = await asked({ live: { merged: [queued] }, progress: 'silent' });

    expect(await ask()).toMatchObject({ unavailable: [] });
  });

  test('what is stored nowhere may be there', async () => {
    const { ask } = await asked({ lane: {}, areWorkersAway: true });

    expect(await ask()).toMatchObject({ status: 503 });
  });
});

describe('a deployment of which the address has no lane', () => {
  const path = `/api/v1/deployments/${RUNNING.id}`;
  const NEVER = `${path.slice(0, -2)}00`;
  const ended = { version: 1, repository: REPOSITORY, deployment: aDeployment({ status: 'succeeded' }) } as const;

  test.each<[string, Outside]>([
    ['waits', { lane: { merged: [queued] } }],
    ['waits, while Temporal is away', { lane: { merged: [queued] }, isTemporalAway: true }],
    ['runs, before Temporal has it', { lane: { running: preparing } }],
  ])('is found where it %s', async (_how, outside) => {
    const { get } = await aConsole({ ...outside, isLocal: true });

    expect(await (await get(path)).json()).toMatchObject({ id: RUNNING.id, lane: { rootName: 'network' } });
  });

  test('is found when Temporal has forgotten it', async () => {
    const { get, records } = await aConsole({ isLocal: true });
    await records.write({ ...ended, endedAt: new Date().toISOString() });

    expect(await (await get(path)).json()).toMatchObject({ id: RUNNING.id, progress: { status: 'succeeded' } });
    expect((await get(NEVER)).status).toBe(404);
  });

  test('cannot be told from one that never was by people who may not see it', async () => {
    const login = { policy: undefined, askAccess: lettingIn(() => false) };
    const { get, records } = await aConsole({ login, lane: { merged: [{ ...queued, id: NEVER_SEEN }] } });
    await records.write({ ...ended, endedAt: new Date().toISOString() });
    const ask = async (at: string) => (await get(at, { authorization: `Bearer ${TOKEN}` })).text();

    expect(await ask(path)).toBe(await ask(NEVER));
    expect(await ask(path.replace(RUNNING.id, NEVER_SEEN))).toBe(await ask(NEVER));
  });

  test('may be there while storage is away', async () => {
    const { get, store } = await aConsole({ isLocal: true });
    store.listStamped = () => {
      throw new Error('away');
    };

    expect((await get(path)).status).toBe(503);
  });
});

const PARENTS = { headSha: RUNNING.revision.sha, baseSha: RUNNING.revision.sha, expiresAt: QUEUED_AT };

const NEVER_SEEN = '00000000-0d4b-4e7a-9c55-1f0e6b7a2d90';

async function asked(outside: Outside) {
  const { get, apiOf, pathOf, reads, records, store } = await aConsole(outside);
  return {
    ask: async (): Promise<unknown> => (await get(apiOf(RUNNING.id))).json(),
    page: async () => (await get(pathOf(RUNNING.id))).text(),
    reads,
    records,
    previews: createPullRequestRecords(store),
  };
}
