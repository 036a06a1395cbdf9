/** The page says of a wait what the check run says: both ask the rules of the lane. */
import { describe, expect, test } from '@jest/globals';
import type { Deployment, Lock } from '@nereid/domain/deployment';
import type { LaneRecord } from '@nereid/domain/lane';
import { aDeployment, aLock } from '@nereid/domain/testing';
import { aConsole } from '../testing.ts';

describe('a deployment that waits', () => {
  const byHand = waiting(8, { trigger: 'manual' });
  const nextByHand = waiting(9, { trigger: 'manual' });
  const merge = waiting(1);

  test('behind a manual lock is not locked when it is a manual one itself: it passes', async () => {
    const { page, api } = await shown(byHand, { lock: aLock(), manual: [byHand], merged: [merge] });

    expect(page).toContain('This deployment is next in its lane');
    expect(page).not.toContain('Unlock lets');
    expect(api).toMatchObject({ ahead: 0 });
    expect(api).not.toHaveProperty('lock');
  });

  test('behind a manual lock is locked when it is a merge', async () => {
    const { page, api } = await shown(merge, { lock: aLock(), manual: [byHand], merged: [merge] });

    expect(page).toContain('Unlock lets the waiting deployments of this lane go on, here or in the');
    expect(api).toMatchObject({ lock: { kind: 'manual', by: 'bob', sentence: expect.stringContaining('bob') } });
  });

  test('behind a lock of an unknown outcome is locked, by hand or not', async () => {
    const { page } = await shown(byHand, { lock: aLock('outcome-unknown'), manual: [byHand] });

    expect(page).toContain('Unlock lets the waiting deployments of this lane go on, here or in the');
  });

  test('does not count those that the lock holds back: they go after it', async () => {
    const lock: Lock = aLock('failed');
    const rerun = waiting(5, { rerun: true, revision: { ...merge.revision, sha: lock.revision } });

    expect((await shown(rerun, { lock, merged: [merge, rerun] })).api).toMatchObject({ ahead: 0 });
  });

  test('for other lanes says for which', async () => {
    const reason = 'waits for network, which awaits its review';
    const held = waiting(1, { progress: { ...merge.progress, reason } });

    expect((await shown(held, { merged: [held] })).page).toContain(
      'This deployment waits for network, which awaits its review. It starts by itself',
    );
  });

  test('for a place in a budget leads to the deployments that have one, and to nothing else', async () => {
    const reason = '2 of 2 applies on aws-2: 2 and network. One deployment comes first';
    const named = ['2', 'network'].map((rootName, n) => ({ rootName, deploymentId: idOf(20 + n) }));
    const waitsFor = { gate: 'budget', who: ['other lanes'], named } as const;
    const running = aDeployment({ status: 'blocked', reason, waitsFor });

    const { page } = await shown(running, { running });

    const linkOf = (name: string, n: number) =>
      `<a href="../deployments/${idOf(n)}?lane=acme%2Finfra%2F${name}">${name}</a>`;
    expect(page).toContain(
      `2 of 2 applies on aws-2: ${linkOf('2', 20)} and ${linkOf('network', 21)}. One deployment comes first`,
    );
  });

  test('counts those that go first, the running one included', async () => {
    const running = { ...aDeployment({ status: 'planning' }), id: idOf(7) };

    const { api } = await shown(merge, { running, manual: [byHand, nextByHand], merged: [merge] });

    expect(api).toMatchObject({ ahead: 3 });
  });

  test('goes with the newest where the root deploys that one only: no merge is ahead of it', async () => {
    const root = { ...merge.root, queue: 'newest' } as const;
    const newest = waiting(3, { root });

    const { page, api } = await shown(newest, { manual: [byHand], merged: [merge, waiting(2, { root }), newest] });

    expect(api).toMatchObject({ ahead: 1 });
    expect(page).toContain('One deployment goes first');
  });
});

/** The page and the API's answer for this deployment, when its lane's record is like this. */
async function shown({ id }: Deployment, lane: Partial<LaneRecord>) {
  const { get, pathOf, apiOf } = await aConsole({ lane });
  const [page, api] = await Promise.all([get(pathOf(id)), get(apiOf(id))]);
  return { page: await page.text(), api: await api.json() };
}

/** The commit of the branch at this position. */
function waiting(position: number, changes: Partial<Deployment> = {}): Deployment {
  return { ...aDeployment({ status: 'queued' }), id: idOf(position), ...changes };
}

function idOf(position: number): string {
  return `${String(position).repeat(8)}-0d4b-4e7a-9c55-1f0e6b7a2d90`;
}
