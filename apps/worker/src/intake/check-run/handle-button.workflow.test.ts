import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { CONFIG_CHECK_RUN_NAME } from '@nereid/domain/deployment';
import type { PlanReview } from '@nereid/domain/plan';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { aDeployment, aLock, aPlan } from '@nereid/domain/testing';
import { testSignatures } from '../../testing/test-signatures.ts';
import type { FileChanges } from '@nereid/github-stand-in';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import { BACKEND, DIGEST } from '../testing/staged-repository.ts';
import type { Signed } from '@nereid/domain/signed';

const OTHER_BUTTON = { kind: 'confirm', mark: 'b'.repeat(12) } as const;

const ROOTS = { 'network/main.tf': BACKEND };
const WAITING = { conclusion: 'action_required', title: 'Plan: 1 to add', summary: 'Waiting for a person.' } as const;

const stage = intakeStageOfThisFile();

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => {
  stage.standIn.faults.clear();
  stage.standIn.assertNoRefusedRequests();
});

/** A plan that waits for a review on the head of a new repository, after this change by wim. */
async function aReview(rootName = 'network', change?: FileChanges) {
  const infra = await stage.repository(ROOTS);
  const deployment = await stage.deployment();
  const head = change ? await infra.commit(change) : await infra.head();
  const waiting = aDeployment({ status: 'awaiting-review', plan: aPlan() });
  const root = { ...waiting.root, name: rootName, dir: rootName };
  const revision = { ...waiting.revision, sha: head };
  return { infra, deployment, checkRun: await infra.review({ ...waiting, id: deployment.id, root, revision }) };
}

describe('a review', () => {
  test.each([
    ['confirm', 'approved'],
    ['reject', 'rejected'],
  ] as const)('reaches its deployment once it is allowed: %s', async (kind, answer) => {
    const { infra, deployment, checkRun } = await aReview();

    const result = await stage.deliver(infra.presses(checkRun, kind), { delivery: 'delivery-1' });

    expect(result).toMatchObject({ kind: 'signalled', workflows: [deployment.id] });
    const about = { version: 1, requestId: 'delivery-1:network', deploymentId: deployment.id, answer, digest: DIGEST };
    const signals = await deployment.signals();
    expect(signals).toEqual([['plan-review', expect.anything()]]);
    const review = signals[0]?.[1] as Signed<PlanReview>; // What was sent.
    const opened = await testSignatures.open('decision/review', review, { deploymentId: deployment.id });
    expect(opened.body).toEqual({ ...about, by: 'wim', at: expect.any(String) });
  });

  test('that rejects a plan counts although its deployment hears nothing of it', async () => {
    const { infra, deployment, checkRun } = await aReview();
    await stage.deliver(infra.presses(checkRun, 'reject'));

    const approved = await stage.deliver(infra.presses(checkRun, 'confirm', 'ada'));

    const sentence = '@ada pressed Confirm: somebody rejected this deployment. Press Re-run for a new plan.';
    expect(approved).toMatchObject({ kind: 'refused', sentence });
    const begun = await stage.context.begunApplies.of(DEFAULT_POOL).begin(deployment.id, { hostId: 'h1', jobId: 'j1' });
    expect(begun).toMatchObject({ kind: 'found', marker: { overtakenBy: 'rejected' } });
  });

  test('of somebody without write permission is refused on the check run, and the deployment hears nothing', async () => {
    const { infra, deployment, checkRun } = await aReview();

    const result = await stage.deliver(infra.presses(checkRun, 'confirm', 'rea'));

    expect(result).toMatchObject({ kind: 'refused', workflows: [] });
    expect(infra.shown(checkRun)).toMatchObject({ conclusion: 'action_required' });
    expect(infra.shown(checkRun)?.output).toMatchObject({
      title: WAITING.title,
      summary: expect.stringMatching(/^> \[!WARNING]\n> @rea may not confirm this: .*\n\nWaiting for a person\.$/),
    });
    expect(await deployment.signals()).toEqual([]);
  });

  test('of the author is refused where a root takes a colleague', async () => {
    const { infra, deployment, checkRun } = await aReview('guarded', { 'guarded/a.tf': '' });

    const refused = await stage.deliver(infra.presses(checkRun, 'confirm', 'wim'));
    const taken = await stage.deliver(infra.presses(checkRun, 'confirm', 'ada'));

    expect(refused).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('somebody who did not bring this change'),
    });
    expect(taken.kind).toBe('signalled');
    expect(await deployment.signals()).toHaveLength(1);
  });

  test('of who merged it is refused there, although somebody else had it run again', async () => {
    const { infra, deployment, checkRun } = await aReview('guarded');
    const failed = aDeployment({ status: 'apply-failed' });
    const revision = { ...failed.revision, sha: await infra.commit({ 'guarded/a.tf': '' }) };
    const root = { ...failed.root, name: 'guarded', dir: 'guarded' };
    const merged = { ...failed, root, id: 'd0', revision, requestedBy: 'max' };
    const again = { ...aDeployment({ status: 'awaiting-review', plan: aPlan() }), root, revision, id: deployment.id };
    const running = { ...again, trigger: 'manual', rerun: true, requestedBy: 'ada' } as const;
    await infra.review(running);
    await infra.lane('guarded').record({ running, ended: [merged] });
    stage.standIn.setRole(infra.fullName, 'max', 'admin');

    const pressed = { ...checkRun, headSha: revision.sha };
    const refused = await stage.deliver(infra.presses(pressed, 'confirm', 'max'));
    const taken = await stage.deliver(infra.presses(pressed, 'confirm', 'ada'));

    expect(refused).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('@max may not confirm this') });
    expect(taken).toMatchObject({ kind: 'signalled' });
  });

  test('on the button of another plan is refused there', async () => {
    const { infra, deployment, checkRun } = await aReview();
    const press = { ...infra.presses(checkRun, 'confirm'), button: OTHER_BUTTON };

    const result = await stage.deliver(press);

    const sentence = '@wim pressed Confirm: that was for another plan. Look at the plan shown here.';
    expect(result).toMatchObject({ kind: 'refused', sentence });
    expect(await deployment.signals()).toEqual([]);
  });

  test('of a deployment that is silent, or knows of no plan yet, is tried again, and in the end is "not now"', async () => {
    const { infra, deployment, checkRun } = await aReview();
    const press = infra.presses(checkRun, 'confirm');
    infra.reports(deployment.id, { status: 'planning', times: {}, jobs: {} });
    await expect(stage.deliver(press)).rejects.toMatchObject({ type: 'DEPLOYMENT_SILENT', nonRetryable: false });
    infra.isSilent(deployment.id);
    await expect(stage.deliver(press)).rejects.toMatchObject({ type: 'DEPLOYMENT_SILENT', nonRetryable: false });
    const late = await stage.deliver(press, { scheduledTimestampMs: Date.now() - 30_000 });
    expect(late).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('not now, try again') });
    expect(await deployment.signals()).toEqual([]);
  });

  test('of a deployment whose workflow is gone is refused: it has ended', async () => {
    const { infra, checkRun } = await aReview();
    const waiting = aDeployment({ status: 'preparing' });
    const revision = { ...waiting.revision, sha: checkRun.headSha };
    const root = { ...waiting.root, name: 'network', dir: 'network' };
    await infra.lane('network').record({ running: { ...waiting, id: 'gone', root, revision } });

    const result = await stage.deliver(infra.presses({ ...checkRun, externalId: 'gone' }, 'confirm'));

    expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('this deployment has ended') });
  });

  test('that rejects a plan whose apply has begun comes too late, which is no forgery', async () => {
    const { infra, deployment, checkRun } = await aReview();
    const press = infra.presses(checkRun, 'reject');
    const { running } = (await stage.context.laneRecords.read(infra.repository, 'network'))?.record ?? {};
    if (running === undefined) throw new Error('expected a running deployment, found none');
    const { plan, times, jobs } = running.progress;
    infra.reports(deployment.id, { status: 'applying', times, jobs, ...(plan && { plan }) });
    // A lane does not know how far its deployment is.
    const preparing = { ...running, progress: { status: 'preparing', times, jobs } } as const;
    await infra.lane('network').record({ running: preparing });
    await stage.context.begunApplies.of(DEFAULT_POOL).begin(deployment.id, { hostId: 'h1', jobId: 'j1' });

    const sentence = '@wim pressed Reject: its apply has begun.';
    expect(await stage.deliver(press)).toMatchObject({ kind: 'refused', sentence });
  });

  test('on the check run of another commit is refused: the person may have looked at that', async () => {
    const { infra, deployment, checkRun } = await aReview();
    const headSha = await infra.commit({ 'network/other.tf': '' });

    const result = await stage.deliver(infra.presses({ ...checkRun, headSha }, 'confirm'));

    expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('another commit') });
    expect(await deployment.signals()).toEqual([]);
  });

  test('of a deployment that ended is refused on the check run, which says how it ended', async () => {
    const { infra, checkRun } = await aReview();
    const expired = aDeployment({ status: 'expired', plan: aPlan() });
    const revision = { ...expired.revision, sha: checkRun.headSha };
    await infra.recordEnded({ ...expired, id: 'ended', revision, requestedBy: 'wim' });

    const result = await stage.deliver(infra.presses({ ...checkRun, externalId: 'ended' }, 'confirm'));

    expect(result.kind).toBe('refused');
    expect(infra.shown(checkRun)).toMatchObject({ conclusion: 'timed_out', actions: [] });
    expect(infra.shown(checkRun)?.output.summary).toMatch(/^> \[!WARNING]\n> this deployment has ended, so /);
  });
});

test.each(['confirm', 'reject'] as const)('%s of a deployment that nobody knows is refused there', async (button) => {
  const infra = await stage.repository(ROOTS);
  const deployment = await stage.deployment();
  const checkRun = await infra.ownCheckRun('network', await infra.head(), { externalId: deployment.id });

  const result = await stage.deliver(infra.presses(checkRun, button, 'ada'));

  expect(result).toMatchObject({ kind: 'refused', workflows: [] });
  expect(infra.shown(checkRun)?.output.summary).toMatch(
    /^> \[!WARNING]\n> neither the lane nor a record knows this deployment, so it is not known who brought it: /,
  );
  expect(await deployment.signals()).toEqual([]);
});

describe('a press that cannot be judged', () => {
  test('while GitHub is away is tried again, and in the end is "not now"', async () => {
    const { infra, deployment, checkRun } = await aReview();
    stage.standIn.faults.add({ kind: 'failure', status: 503, route: /permission$/ });

    const early = stage.deliver(infra.presses(checkRun, 'confirm'));
    await expect(early).rejects.toMatchObject({ type: 'FORGE_UNAVAILABLE', nonRetryable: false });
    const late = await stage.deliver(infra.presses(checkRun, 'confirm'), { scheduledTimestampMs: Date.now() - 30_000 });

    expect(late).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('not now, try again') });
    expect(await deployment.signals()).toEqual([]);
  });

  test('because GitHub forbids our App to ask is "not now" at once', async () => {
    const { infra, deployment, checkRun } = await aReview();
    stage.standIn.faults.add({ kind: 'refusal', status: 403, route: /permission$/ });

    const result = await stage.deliver(infra.presses(checkRun, 'confirm'));

    expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('not now, try again') });
    expect(infra.shown(checkRun)?.output.summary).toContain('not now, try again');
    expect(await deployment.signals()).toEqual([]);
  });

  test.each(['wim', 'nobody-here'])('is refused once when GitHub knows no permission of @%s', async (login) => {
    const { infra, deployment, checkRun } = await aReview();
    stage.standIn.faults.add({ kind: 'refusal', status: 404, route: /wim\/permission$/ });

    const result = await stage.deliver(infra.presses(checkRun, 'confirm', login));

    expect(result).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining(`@${login} has none that Nereid can see; ask somebody who has it`),
    });
    expect(infra.shown(checkRun)?.output.summary).toContain(`@${login} may not confirm this`);
    expect(await deployment.signals()).toEqual([]);
  });

  test('because GitHub refuses to answer says so on the check run', async () => {
    const { infra, checkRun } = await aReview('guarded');
    stage.standIn.faults.add({ kind: 'refusal', status: 422, route: /^GET .*commits\/[0-9a-f]{40}$/ });

    const result = await stage.deliver(infra.presses(checkRun, 'confirm'));

    expect(result.kind).toBe('refused');
    expect(infra.shown(checkRun)?.output.summary).toMatch(
      /^> \[!WARNING]\n> GitHub refused GET commit with status 422/,
    );
  });

  test('fails for good when GitHub refuses the telling, too', async () => {
    const { infra, checkRun } = await aReview();

    const press = stage.deliver(infra.presses({ ...checkRun, id: 1 }, 'confirm', 'rea'));

    await expect(press).rejects.toMatchObject({ type: 'FORGE_REFUSED', nonRetryable: true });
  });
});

describe('Unlock', () => {
  const LOCK = { ...aLock(), deploymentId: 'd0' };

  /** A merged deployment that waits for a lock. */
  async function aLockedLane() {
    const infra = await stage.repository(ROOTS);
    const waiting = { ...aDeployment({ status: 'queued' }), id: randomUUID() };
    const checkRun = await infra.ownCheckRun('network', await infra.head(), { ...WAITING, externalId: waiting.id });
    const revision = { ...waiting.revision, sha: checkRun.headSha };
    const checkRuns = [{ id: checkRun.id, completed: true }];
    await infra.lane('network').start({ lock: LOCK, merged: [{ ...waiting, revision, checkRuns }] });
    return { infra, checkRun };
  }

  test('takes what the directory of the locking deployment takes, although the root was declared elsewhere since', async () => {
    const { infra, checkRun } = await aLockedLane();
    const locking = aDeployment({ status: 'apply-failed' });
    await infra.recordEnded({ ...locking, id: LOCK.deploymentId, root: { ...locking.root, dir: 'guarded' } });

    const result = await stage.deliver(infra.presses(checkRun, 'unlock'));

    expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('it takes admin permission') });
    expect(await infra.lane('network').view()).toMatchObject({ lock: LOCK });
  });

  test('lifts the lock that its check run shows', async () => {
    const { infra, checkRun } = await aLockedLane();

    const result = await stage.deliver(infra.presses(checkRun, 'unlock'));

    expect(result).toMatchObject({ kind: 'signalled', workflows: [infra.lane('network').id] });
    expect(await infra.lane('network').view()).not.toHaveProperty('lock');
  });

  test('pressed twice is refused the second time, and the lane says so on the check run', async () => {
    const { infra, checkRun } = await aLockedLane();
    await stage.deliver(infra.presses(checkRun, 'unlock'));

    const second = await stage.deliver(infra.presses(checkRun, 'unlock', 'ada'));

    expect(second).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('@ada pressed Unlock') });
    await infra.shownWith(checkRun, '@ada pressed Unlock: this lane is not locked');
  });

  test('leaves its trace: who pressed, and no button, on the check run that it goes on in and on the one before', async () => {
    const { infra, checkRun } = await aLockedLane();

    await stage.deliver(infra.presses(checkRun, 'unlock'));

    const next = await infra.shownWith(checkRun, 'Lane unlocked by @wim');
    expect(next.id).not.toBe(checkRun.id);
    await infra.shownAs(checkRun, { actions: [], title: 'Unlocked by @wim' });
  });

  test('after an apply whose outcome is unknown leaves its trace, long after the lane forgot the deployment', async () => {
    const infra = await stage.repository(ROOTS);
    const lost = aDeployment({ status: 'apply-outcome-unknown' });
    await infra.recordEnded(lost);
    await infra.lane('network').start({ lock: { ...aLock('outcome-unknown'), deploymentId: lost.id } });
    const checkRun = await infra.ownCheckRun('network', await infra.head(), { ...WAITING, externalId: lost.id });

    await stage.deliver(infra.presses(checkRun, 'unlock'));

    expect(infra.shown(checkRun)).toMatchObject({ conclusion: 'timed_out', actions: [] });
    expect(infra.shown(checkRun)?.output.summary).toMatch(/@wim unlocked the lane, .*: waiting deployments go on/);

    await stage.deliver(infra.presses(checkRun, 'unlock'));

    expect(infra.shown(checkRun)).toMatchObject({ actions: [] });
    expect(infra.shown(checkRun)?.output.summary).toMatch(/^> \[!WARNING]\n> @wim pressed Unlock: this lane is not/);
  });

  test('taken again under a newer lock, long after its event was received, lifts nothing', async () => {
    const { infra, checkRun } = await aLockedLane();
    const press = { ...infra.presses(checkRun, 'unlock', 'ada'), senderId: 7 };
    const signed = { delivery: 'delivery-3', receivedAt: new Date().toISOString() };
    await stage.deliver(press, signed);
    const lane = infra.lane('network');
    await lane.forgetsItsRun();
    const newer = { ...LOCK, deploymentId: checkRun.externalId, at: new Date(Date.now() + 1_000).toISOString() };
    await lane.start({ lock: newer });

    const again = await stage.deliver(press, { ...signed, scheduledTimestampMs: Date.now() + 60_000 });

    expect(again).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('@ada pressed Unlock: the current lock was set after this was asked'),
    });
    expect(await lane.view()).toMatchObject({ lock: newer });
    const turn = await stage.context.laneTurns.read(infra.repository, 'network');
    expect(turn?.unlocked).toEqual({ by: 'ada', byId: 7, at: signed.receivedAt });
  });

  test('of another attempt at the same press is the same press', async () => {
    const { infra, checkRun } = await aLockedLane();
    const press = infra.presses(checkRun, 'unlock');
    await stage.deliver(press, { delivery: 'delivery-2' });

    const again = await stage.deliver(press, { delivery: 'delivery-2', attempt: 2 });

    expect(again.kind).toBe('signalled');
  });

  test('on a check run of a deployment that nobody knows any more is refused there', async () => {
    const infra = await stage.repository(ROOTS);
    const checkRun = await infra.ownCheckRun('network', await infra.head(), { ...WAITING, externalId: 'long gone' });

    const result = await stage.deliver(infra.presses(checkRun, 'unlock', 'ada'));

    expect(result.kind).toBe('refused');
    expect(infra.shown(checkRun)?.output.summary).toMatch(
      /^> \[!WARNING]\n> @ada pressed Unlock: this lane is not locked/,
    );
  });

  test('of somebody without write permission is refused by the lane on the check run', async () => {
    const { infra, checkRun } = await aLockedLane();

    await stage.deliver(infra.presses(checkRun, 'unlock', 'rea'));

    const shown = await infra.shownWith(checkRun, '@rea may not unlock this');
    expect(shown).toMatchObject({ conclusion: 'action_required', actions: [{ identifier: 'unlock' }] });
    expect(await infra.lane('network').view()).toMatchObject({ lock: LOCK });
  });
});

test('a button on what is no check run of a deployment does nothing', async () => {
  const infra = await stage.repository(ROOTS);
  const checkRun = await infra.ownCheckRun('', await infra.head(), { name: CONFIG_CHECK_RUN_NAME });

  expect(await stage.deliver(infra.presses(checkRun, 'unlock'))).toMatchObject({ kind: 'nothing' });
});
