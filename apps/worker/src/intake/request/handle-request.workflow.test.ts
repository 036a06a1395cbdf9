import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { PlanAction } from '@nereid/domain/actions';
import type { Deployment } from '@nereid/domain/deployment';
import { seenFacts, type ConsoleRequest } from '@nereid/domain/intake';
import { aDeployment, aLock, aPlan, withMade } from '@nereid/domain/testing';
import { digestOf } from '@nereid/signature';
import { sealedProof } from '../../testing/test-signatures.ts';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import { BACKEND, DIGEST, type StagedRepository } from '../testing/staged-repository.ts';

const ROOTS = { 'network/main.tf': BACKEND };

const stage = intakeStageOfThisFile();

afterEach(() => {
  stage.standIn.faults.clear();
});

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => stage.standIn.assertNoRefusedRequests());

/** A plan that waits for a review, and what its page names. */
async function aReview(rootName = 'network') {
  const infra = await stage.repository(ROOTS);
  const deployment = await stage.deployment();
  const waiting = aDeployment({ status: 'awaiting-review', plan: aPlan() });
  const root = { ...waiting.root, name: rootName, dir: rootName };
  const revision = { ...waiting.revision, sha: await infra.head() };
  const checkRun = await infra.review({ ...waiting, id: deployment.id, root, revision });
  const request = (action: PlanAction, seen?: string) =>
    runningIn(infra, rootName).then((running) => ({
      action,
      rootName,
      deploymentId: deployment.id,
      seen: seen ?? seenOf(infra, running),
    }));
  return { infra, deployment, checkRun, request };
}

async function runningIn(infra: StagedRepository, rootName: string): Promise<Deployment> {
  const running = (await stage.context.laneRecords.read(infra.repository, rootName))?.record.running;
  if (running === undefined) throw new Error(`expected a deployment of ${rootName} that runs, found none`);
  return running;
}

function seenOf({ repository }: StagedRepository, deployment: Deployment): string {
  const { plan } = deployment.progress;
  if (plan === undefined) throw new Error('expected a plan, found none');
  return digestOf(seenFacts(repository, deployment, plan));
}

describe('an answer to a plan', () => {
  test.each([
    ['confirm', 'approved'],
    ['reject', 'rejected'],
  ] as const)('reaches its deployment as the button does: %s', async (action, answer) => {
    const { infra, deployment, request } = await aReview();

    const result = await stage.ask(infra, await request(action), { delivery: 'request-1' });

    expect(result).toMatchObject({ kind: 'signalled', workflows: [deployment.id] });
    const review = { requestId: 'request-1:network', deploymentId: deployment.id, answer, digest: DIGEST, by: 'wim' };
    expect(await deployment.signals()).toMatchObject([['plan-review', { body: review }]]);
  });

  test('of a person who looked at another plan is refused, and the deployment hears nothing', async () => {
    const { infra, deployment, request } = await aReview();

    const result = await stage.ask(infra, await request('confirm', 'b'.repeat(64)));

    const sentence = '@wim pressed Confirm: that was for another plan. Look at the plan shown here.';
    expect(result).toMatchObject({ kind: 'refused', sentence });
    expect(await deployment.signals()).toEqual([]);
  });

  test('to a plan that the console was told with another summary is refused', async () => {
    const { infra, deployment, request } = await aReview();
    const running = await runningIn(infra, 'network');
    const { plan = aPlan() } = running.progress;
    const harmless = {
      ...running,
      progress: {
        ...running.progress,
        plan: withMade(plan, { summary: { ...plan.made.body.summary, delete: 0, create: 0 } }),
      },
    };

    const result = await stage.ask(infra, await request('confirm', seenOf(infra, harmless)));

    expect(result.kind).toBe('refused');
    expect(await deployment.signals()).toEqual([]);
  });

  test('of a person who may not is the same sentence as on GitHub, and stands on no check run', async () => {
    const { infra, deployment, checkRun, request } = await aReview();

    const result = await stage.ask(infra, await request('confirm'), { sender: 'rea' });

    expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('@rea may not confirm this') });
    expect(result.userActions?.map(({ body }) => body.action)).toMatchObject([
      { action: 'confirm', rootNames: ['network'], refusal: result.sentence },
    ]);
    expect(infra.shown(checkRun)?.output.summary).not.toContain('@rea');
    expect(await deployment.signals()).toEqual([]);
  });

  test('to a deployment that nobody knows is refused', async () => {
    const { infra, request } = await aReview();

    const result = await stage.ask(infra, { ...(await request('confirm')), deploymentId: randomUUID() });

    expect(result).toMatchObject({ kind: 'refused', sentence: 'there is no such deployment' });
  });
});

test.each(['no-such-action', 'constructor'])('an action that control does not know is refused: %s', async (action) => {
  const infra = await stage.repository(ROOTS);

  const result = await stage.ask(infra, { action, rootName: 'network' } as unknown as ConsoleRequest);

  expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('of another release') });
});

describe('who asks', () => {
  test('is who the proof says: a console that names somebody else is a forger', async () => {
    const { infra, deployment, request } = await aReview();
    const proof = { mode: 'token', token: 'token of rea' } as const;

    const asked = stage.ask(infra, await request('confirm'), { sender: 'ada', proof });

    await expect(asked).rejects.toMatchObject({ type: 'FORGED', nonRetryable: true });
    expect(await deployment.signals()).toEqual([]);
  });

  test('is nobody with a token that is not known, and nothing is audited in their name', async () => {
    const { infra, request } = await aReview();
    const proof = { mode: 'token', token: 'made up' } as const;

    const result = await stage.ask(infra, await request('confirm'), { proof });

    expect(result).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('this token is not known here'),
    });
    expect(result.userActions).toBeUndefined();
  });

  test('does no more than their token permits', async () => {
    const { infra, request } = await aReview();
    const proof = { mode: 'token', token: 'token of reads' } as const;

    const result = await stage.ask(infra, await request('confirm'), { sender: 'ada', proof });

    expect(result).toMatchObject({ kind: 'refused', sentence: 'the token reads has no scope "review"' });
  });

  test('cannot be taken over by the seal of another request', async () => {
    const { infra, deployment, request } = await aReview();
    const { repository } = infra;
    const proof = await sealedFor('another request', infra);

    const event = { kind: 'request', repository, request: await request('confirm'), sender: 'ada', proof } as const;
    const result = await stage.deliver(event, { delivery: 'request-2' });

    expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('sealed for something else') });
    expect(await deployment.signals()).toEqual([]);
  });

  test('asked too long ago', async () => {
    const { infra, request } = await aReview();
    const receivedAt = new Date(Date.now() - 2 * 3_600_000).toISOString();

    const asked = stage.ask(infra, await request('confirm'), { receivedAt });

    await expect(asked).rejects.toMatchObject({ type: 'EVENT_EXPIRED', message: expect.stringContaining('ask again') });
  });
});

test('Unlock lifts the lock that the person was shown, once', async () => {
  const infra = await stage.repository(ROOTS);
  const waiting = { ...aDeployment({ status: 'queued' }), id: randomUUID() };
  const lock = { ...aLock(), deploymentId: 'd0' };
  await infra
    .lane('network')
    .start({ lock, merged: [{ ...waiting, revision: { ...waiting.revision, sha: await infra.head() } }] });

  const request = { action: 'unlock', rootName: 'network', deployment: 'd0' } as const;

  const earlier = await stage.ask(infra, { ...request, deployment: 'an earlier one' });
  const refused = await stage.ask(infra, request, { sender: 'rea' });
  const result = await stage.ask(infra, request);
  const again = await stage.ask(infra, request);

  expect(earlier).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('another one, set by a manual') });
  expect(refused).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('@rea may not unlock') });
  expect(result).toMatchObject({
    kind: 'signalled',
    userActions: [{ body: { action: { action: 'unlock', rootNames: ['network'] } } }],
  });
  expect(again).toMatchObject({ kind: 'refused', sentence: 'network is not locked' });
});

test('Unlock is noted as done although GitHub refuses the check run that shows it', async () => {
  const infra = await stage.repository(ROOTS);
  const lost = aDeployment({ status: 'apply-outcome-unknown' });
  const checkRun = await infra.ownCheckRun('network', await infra.head(), { externalId: lost.id });
  await infra.recordEnded({ ...lost, checkRuns: [{ id: checkRun.id, completed: true }] });
  await infra.lane('network').start({ lock: { ...aLock('outcome-unknown'), deploymentId: lost.id } });
  stage.standIn.faults.add({ kind: 'refusal', status: 404, route: /^PATCH .*check-runs/ });

  const result = await stage.ask(infra, { action: 'unlock', rootName: 'network', deployment: lost.id });

  expect((await infra.lane('network').view())?.lock).toBeUndefined();
  expect(result.userActions?.map(({ body }) => body.action)).toEqual([{ action: 'unlock', rootNames: ['network'] }]);
});

describe('Cancel', () => {
  test('ends a deployment that waits', async () => {
    const infra = await stage.repository(ROOTS);
    const waiting = { ...aDeployment({ status: 'queued' }), id: randomUUID() };
    const lock = { ...aLock(), deploymentId: 'd0' };
    await infra
      .lane('network')
      .start({ lock, merged: [{ ...waiting, revision: { ...waiting.revision, sha: await infra.head() } }] });
    const request = { action: 'cancel', rootName: 'network', deploymentId: waiting.id } as const;

    const refused = await stage.ask(infra, request, { sender: 'rea' });
    const result = await stage.ask(infra, request);

    expect(refused).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('@rea may not cancel') });
    expect(result).toMatchObject({
      kind: 'signalled',
      userActions: [{ body: { action: { action: 'cancel', deploymentId: waiting.id } } }],
    });
  });

  test('of one that has ended is refused', async () => {
    const infra = await stage.repository(ROOTS);
    const ended = aDeployment({ status: 'succeeded', plan: aPlan() });
    await infra.recordEnded({ ...ended, id: 'ended', revision: { ...ended.revision, sha: await infra.head() } });

    const result = await stage.ask(infra, { action: 'cancel', rootName: 'network', deploymentId: 'ended' });

    expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('has ended') });
  });
});

describe('a revision', () => {
  test('of the branch is deployed to the roots that are named, once for each request', async () => {
    const infra = await stage.repository({ ...ROOTS, 'database/main.tf': BACKEND });
    const sha = await infra.head();
    const request = { action: 'deploy', roots: ['network', 'database'], revision: sha } as const;
    const delivery = randomUUID();

    await stage.ask(infra, request, { delivery });
    const result = await stage.ask(infra, request, { delivery, attempt: 2 });

    expect(result).toMatchObject({ kind: 'signalled', sentence: expect.stringContaining('@wim deploys') });
    for (const rootName of request.roots)
      expect(await infra.lane(rootName).deployments()).toMatchObject([
        { requestId: `${delivery}:${rootName}`, trigger: 'manual', rerun: true, revision: { sha }, requestedBy: 'wim' },
      ]);
  });

  test.each([
    [
      'that is not on the branch',
      (infra: StagedRepository) => infra.commit({ 'network/a.tf': '' }, 'feature'),
      'network',
    ],
    ['for a root that it does not have', (infra: StagedRepository) => infra.head(), 'nothing'],
  ])('%s is refused, and no root is deployed', async (_what, make, rootName) => {
    const infra = await stage.repository(ROOTS);
    const sha = await make(infra);

    const result = await stage.ask(infra, { action: 'deploy', roots: [rootName], revision: sha });

    expect(result.kind).toBe('refused');
    expect(await infra.lane('network').view()).toBeUndefined();
  });

  test('that failed is deployed once more; one that worked is not', async () => {
    const infra = await stage.repository(ROOTS);
    const sha = await infra.head();
    const end = (status: 'plan-failed' | 'succeeded') => {
      const ended = aDeployment({ status, ...(status === 'succeeded' && { plan: aPlan() }) });
      return infra.recordEnded({ ...ended, id: status, revision: { ...ended.revision, sha } });
    };
    await end('plan-failed');
    await end('succeeded');

    const refused = await stage.ask(infra, { action: 'rerun', rootName: 'network', deploymentId: 'succeeded' });
    const result = await stage.ask(infra, { action: 'rerun', rootName: 'network', deploymentId: 'plan-failed' });

    expect(refused).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('did not fail') });
    expect(result.kind).toBe('signalled');
    expect(await infra.lane('network').deployments()).toMatchObject([{ rerun: true, requestedBy: 'wim' }]);
  });
});

async function sealedFor(requestId: string, { repository }: StagedRepository): Promise<string> {
  return sealedProof({ mode: 'token', token: 'token of ada' }, requestId, { repository });
}
