import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Deployment } from '@nereid/domain/deployment';
import { DEFAULT_POOL, type Repository } from '@nereid/domain/root';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { aLock, deploymentAt, progressAs } from '@nereid/domain/testing';
import { Client, type WorkflowClientInterceptor } from '@temporalio/client';
import { intakeStageOfThisFile } from '../intake/testing/intake-stage.ts';
import type { StagedLane } from '../intake/testing/staged-lane.ts';
import { asOrdered } from '../testing/test-signatures.ts';
import { acquireTurn } from './turn/turn.ts';
import { provenUnlock } from './show/proven/proven-people.ts';
import { cancelInLane, notifyLane, unlockLane } from './ask-lane.ts';

const stage = intakeStageOfThisFile();

const UNLOCK = { version: 1, requestId: 'unlock-1', by: 'wim', askedAt: new Date().toISOString() } as const;

describe('a lane that is asked', () => {
  test('is started by that, and answers as its record says; the same request again gets the same answer', async () => {
    const { repository, lane } = await aLane();
    await lane.record({ lock: aLock() });

    expect(await unlockLane(asking(), repository, 'network', UNLOCK)).toEqual({ kind: 'unlocked' });
    expect(await unlockLane(asking(), repository, 'network', UNLOCK)).toEqual({ kind: 'unlocked' });
    expect(await unlockLane(asking(), repository, 'network', { ...UNLOCK, requestId: 'unlock-2' })).toEqual({
      kind: 'refused',
      sentence: 'this lane is not locked: there is nothing to unlock',
    });
  });

  test('remembers who lifted its lock with the word of control', async () => {
    const { repository, lane } = await aLane();
    await lane.record({ lock: aLock() });

    await unlockLane(asking(), repository, 'network', UNLOCK);

    const lifted = (await lane.view())?.lifted[0]?.unlock;
    expect((await provenUnlock(stage.context, repository, 'network', lifted))?.body).toMatchObject({ by: 'wim' });
  });

  test('by many at once answers each of them', async () => {
    const { repository, lane } = await aLane();
    await lane.record({ lock: aLock() });
    const requests = Array.from({ length: 100 }, (_, index) => ({ ...UNLOCK, requestId: `unlock-${index}` }));

    const answers = await Promise.all(requests.map((request) => unlockLane(asking(), repository, 'network', request)));

    expect(answers.filter(({ kind }) => kind === 'unlocked')).toHaveLength(1);
    expect(answers.filter(({ kind }) => kind === 'refused')).toHaveLength(99);
  });

  test('is asked again after a query that failed, and decides once', async () => {
    const { repository, lane } = await aLane();
    await lane.record({ lock: aLock() });
    let left = 2;
    const query: WorkflowClientInterceptor['query'] = async (input, next) => {
      left -= 1;
      if (left >= 0) throw new Error('the worker failed the task of the query');
      return next(input);
    };
    const { connection, options } = stage.context.temporal;
    const temporal = new Client({ ...options, connection, interceptors: { workflow: [{ query }] } });
    const context = { ...stage.context, temporal };

    expect(await unlockLane({ ...asking(), context }, repository, 'network', UNLOCK)).toEqual({ kind: 'unlocked' });

    expect(left).toBeLessThan(0);
    expect(await lane.signals()).toEqual([MESSAGE.unlock]);
  });

  test('and cannot read its record says why it does not answer', async () => {
    const { repository, lane } = await aLane();
    await lane.breakRecord('{');

    await expect(unlockLane(asking(), repository, 'network', UNLOCK)).rejects.toThrow(
      /^expected the lane of network in .* to decide within 10 seconds, found: its record cannot be read: /,
    );
  });
});

describe('what a person cancels', () => {
  test.each<[string, (lane: StagedLane, deployment: Deployment) => Promise<void>]>([
    ['although its lane knows it', (lane, deployment) => lane.start({ lock: aLock(), merged: [deployment] })],
    ['although its lane says that it does not know it', (lane) => lane.start({})],
  ])('is never applied, %s', async (_what, begin) => {
    const { repository, lane, deployment } = await aWaiting();
    await begin(lane, deployment);

    expect(await cancelInLane(asking(), repository, deployment, CANCEL)).toEqual({ kind: 'never-applied' });

    await expect(takesTurn(repository, deployment)).rejects.toMatchObject({
      code: 'OVERTAKEN',
      message: expect.stringContaining('a person cancelled it'),
    });
    expect(await stage.context.begunApplies.of(DEFAULT_POOL).begin(deployment.id, JOB)).toMatchObject({
      kind: 'found',
    });
  });

  test('is asked to stop where its apply has begun, and the person is told so', async () => {
    const { repository, lane, deployment } = await aWaiting();
    await lane.start({ lock: aLock(), merged: [deployment] });
    await stage.context.begunApplies.of(DEFAULT_POOL).begin(deployment.id, JOB);

    expect(await cancelInLane(asking(), repository, deployment, CANCEL)).toEqual({ kind: 'stopping' });

    expect(await stage.context.begunApplies.of(DEFAULT_POOL).read(deployment.id)).not.toHaveProperty('overtakenBy');
    expect(await lane.signals()).toContain(MESSAGE.cancel);
  });

  test('either begins or is cancelled, if both happen at once', async () => {
    const { repository, lane, deployment } = await aWaiting();
    await lane.start({ lock: aLock(), merged: [deployment] });

    const [cancelled, begun] = await Promise.all([
      cancelInLane(asking(), repository, deployment, CANCEL),
      stage.context.begunApplies.of(DEFAULT_POOL).begin(deployment.id, JOB),
    ]);

    expect(cancelled.kind).toBe(begun.kind === 'begun' ? 'stopping' : 'never-applied');
  });

  test('and has ended otherwise is not said to be cancelled', async () => {
    const { infra, repository, lane, deployment } = await aWaiting();
    await lane.start({ lock: aLock() });
    await infra.recordEnded({ ...deployment, progress: progressAs('rejected') });

    expect(await cancelInLane(asking(), repository, deployment, CANCEL)).toMatchObject({ kind: 'refused' });
  });

  test('and nobody ordered as its lane tells it is left alone', async () => {
    const { repository, deployment } = await aWaiting();
    const forged = { ...deployment, requestedBy: 'officer' };

    await expect(cancelInLane(asking(), repository, forged, CANCEL)).rejects.toMatchObject({ code: 'FORGED' });

    expect(await stage.context.begunApplies.of(DEFAULT_POOL).read(deployment.id)).toBeUndefined();
  });
});

describe('a notice', () => {
  const notice = (deploymentId: string) => ({ version: 1, deploymentId, sentence: 'Too late.' }) as const;

  test('reaches the lane that knows its deployment', async () => {
    const { repository, lane } = await aLane();
    await lane.start({ lock: aLock(), merged: [deploymentAt(1)] });

    expect(await notifyLane(asking(), repository, 'network', notice('1'))).toBe(true);
    expect(await lane.signals()).toEqual([MESSAGE.notice]);
    expect(await notifyLane(asking(), repository, 'network', notice('2'))).toBe(false);
  });

  test('reaches nobody where the lane does not run', async () => {
    const { repository } = await aLane();

    expect(await notifyLane(asking(), repository, 'network', notice('1'))).toBe(false);
  });
});

const CANCEL = { version: 1, requestId: 'cancel-1', by: 'wim', askedAt: new Date().toISOString() } as const;
const JOB = { hostId: 'h1', jobId: 'j1' };

async function aWaiting() {
  const { infra, repository, lane } = await aLane();
  const deployment = await asOrdered(repository, deploymentAt(1, { id: randomUUID() }));
  return { infra, repository, lane, deployment };
}

async function takesTurn(repository: Repository, deployment: Deployment): Promise<unknown> {
  return acquireTurn(stage.context, {
    repository,
    deployment,
    jobId: JOB.jobId,
    plan: { hasChanges: true },
    isReviewed: true,
  });
}

const asking = () => ({ context: stage.context, signal: new AbortController().signal });

async function aLane() {
  const infra = await stage.repository({ 'README.md': '' });
  return { infra, repository: infra.repository, lane: infra.lane('network') };
}
