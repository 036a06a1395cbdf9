import { DEFAULT_POOL } from '@nereid/domain/root';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { aDeployment, aLock } from '@nereid/domain/testing';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import { StagedDeployment } from '../testing/staged-deployment.ts';
import { BACKEND } from '../testing/staged-repository.ts';

const ROOTS = { 'network/main.tf': BACKEND, 'database/main.tf': BACKEND };
const BEFORE = '2026-01-31T14:00:00.000Z';

const stage = intakeStageOfThisFile();

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => stage.standIn.assertNoRefusedRequests());

async function aPullRequest() {
  const infra = await stage.repository(ROOTS);
  return { infra, opened: await infra.pullRequest({ 'network/a.tf': '' }) };
}

describe('unlock', () => {
  test('lifts the lock of the root that the pull request modifies', async () => {
    const { infra, opened } = await aPullRequest();
    await infra.lane('network').start({ lock: aLock() });

    const result = await stage.deliver(infra.says(opened, 'nereid unlock'));

    expect(result).toMatchObject({ kind: 'signalled', workflows: [infra.lane('network').id] });
    expect(infra.comments(opened)).toEqual([expect.stringMatching(/^Unlocked: `network`\. Follow/)]);
    expect(await infra.lane('network').view()).not.toHaveProperty('lock');
  });

  test('of several roots names those that were not locked, too', async () => {
    const { infra, opened } = await aPullRequest();
    await infra.lane('network').start({ lock: aLock() });

    await stage.deliver(infra.says(opened, 'nereid unlock network database'));

    expect(infra.comments(opened)).toEqual([expect.stringMatching(/^Unlocked: `network`\. Not locked: `database`\. /)]);
  });

  test('of a root that is not locked is refused in a reply', async () => {
    const { infra, opened } = await aPullRequest();

    const result = await stage.deliver(infra.says(opened, 'nereid unlock'));

    expect(result).toMatchObject({ kind: 'refused', sentence: 'not locked: network' });
    expect(infra.comments(opened)).toEqual([expect.stringContaining('not locked: network')]);
  });

  test('that is tried again is the same unlock: a lock set since then stays', async () => {
    const { infra, opened } = await aPullRequest();
    await infra.lane('network').start({ lock: aLock() });
    const delivery = randomUUID();
    await stage.deliver(infra.says(opened, 'nereid unlock'), { delivery });
    await stage.deliver(infra.says(opened, 'nereid apply'));
    await infra.lane('network').runs((await infra.lane('network').deployments())[0]?.id ?? '');

    const again = await stage.deliver(infra.says(opened, 'nereid unlock'), { delivery, attempt: 2 });

    expect(again.kind).toBe('signalled');
    expect(await infra.lane('network').view()).toMatchObject({ lock: { kind: 'manual', by: 'wim' } });
    expect(infra.comments(opened)).toHaveLength(2);
  });
});

describe('cancel', () => {
  /** What plans since before the comment. */
  async function whatRuns() {
    const deployment = await stage.deployment();
    const running = { ...aDeployment({ status: 'planning', times: { preparing: BEFORE } }), id: deployment.id };
    return { deployment, running };
  }

  test('asks what runs in the lane to end', async () => {
    const { infra, opened } = await aPullRequest();
    const { deployment, running } = await whatRuns();
    await infra.lane('network').start({ running });

    const result = await stage.deliver(infra.says(opened, 'nereid cancel network database'));

    expect(result).toMatchObject({ kind: 'signalled', workflows: [deployment.id] });
    await deployment.hearsOfCancellation();
    const cancelling = { body: { by: 'wim', deploymentId: deployment.id }, signature: expect.any(String) };
    expect(await deployment.signals()).toMatchObject([
      ['show-again', { tellsEnd: true }],
      ['cancelling', cancelling],
    ]);
    expect(infra.comments(opened)).toEqual([
      expect.stringMatching(
        /^Cancelling: `network` \(`abc1234`, which \[is being planned\]\(.*\): nothing of it will be applied\)\. Nothing ran: `database`\. /,
      ),
    ]);
  });

  test('says so where the apply has begun, which is asked to stop', async () => {
    const { infra, opened } = await aPullRequest();
    const { deployment, running } = await whatRuns();
    await infra.lane('network').start({ running });
    await stage.context.begunApplies.of(DEFAULT_POOL).begin(deployment.id, { hostId: 'h1', jobId: 'j1' });

    await stage.deliver(infra.says(opened, 'nereid cancel network'));

    await deployment.hearsOfCancellation();
    expect(infra.comments(opened)).toEqual([
      expect.stringMatching(/: its apply has begun, and Terraform is asked to stop\)/),
    ]);
  });

  test('takes what waits of this pull request out of the queue, and leaves what others wait for', async () => {
    const { infra, opened } = await aPullRequest();
    const { deployment, running } = await whatRuns();
    const waits = { ...aDeployment({ status: 'queued' }), trigger: 'manual' } as const;
    const own = { ...waits, id: randomUUID(), pullRequest: opened.number };
    const other = { ...waits, id: randomUUID(), pullRequest: opened.number + 1 };
    await infra.lane('network').start({ running, manual: [own, other] });

    const result = await stage.deliver({ ...infra.says(opened, 'nereid cancel'), senderId: 7 });

    // What waits goes first: it would begin as soon as what runs has ended.
    expect(result.workflows).toEqual([own.id, deployment.id]);
    expect(await infra.lane('network').view()).toMatchObject({
      waiting: [{ id: other.id }],
      ended: [
        {
          id: own.id,
          progress: { status: 'cancelled', reason: 'Cancelled by @wim' },
          cancellation: { body: { by: 'wim', byId: 7 } },
        },
      ],
    });
  });

  test('asks what the record says, where no lane runs', async () => {
    const { infra, opened } = await aPullRequest();
    const { deployment, running } = await whatRuns();
    await infra.lane('network').record({ running });

    await stage.deliver(infra.says(opened, 'nereid cancel'));

    await deployment.hearsOfCancellation();
  });

  test('where nothing runs is refused in a reply', async () => {
    const { infra, opened } = await aPullRequest();

    const result = await stage.deliver(infra.says(opened, 'nereid cancel'));

    const sentence = 'nothing ran when this was asked, and nothing of this pull request waited: network';
    expect(result).toMatchObject({ kind: 'refused', sentence });
    expect(infra.comments(opened)).toHaveLength(1);
  });

  test('never reaches what began after it was asked, however often it is tried', async () => {
    const { infra, opened } = await aPullRequest();
    const { deployment, running } = await whatRuns();
    const next = { ...aDeployment({ status: 'queued' }), id: randomUUID() };
    await infra.lane('network').start({ running, merged: [next] });
    const asked = { delivery: randomUUID(), receivedAt: new Date().toISOString() };
    const first = await stage.deliver(infra.says(opened, 'nereid cancel'), asked);
    await deployment.handle.terminate();
    await infra.lane('network').hearsOfLost(deployment);
    await infra.lane('network').runs(next.id);

    const second = await stage.deliver(infra.says(opened, 'nereid cancel'), { ...asked, attempt: 2 });

    expect(second).toEqual(first);
    expect(second.workflows).toEqual([deployment.id]);
    expect(await new StagedDeployment(stage.context.temporal.workflow.getHandle(next.id)).isAskedToEnd()).toBe(false);
    expect(infra.comments(opened)).toHaveLength(1);
  });

  test('takes write permission', async () => {
    const { infra, opened } = await aPullRequest();
    const { deployment, running } = await whatRuns();
    await infra.lane('network').start({ running });

    await stage.deliver(infra.says(opened, 'nereid cancel', 'rea'));

    expect(infra.comments(opened)).toEqual([expect.stringContaining('@rea may not cancel this')]);
    expect(await deployment.isAskedToEnd()).toBe(false);
  });
});
