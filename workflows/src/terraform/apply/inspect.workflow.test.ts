import { describe, expect, test } from '@jest/globals';
import type { ApplyOutcome, Presentation } from '@nereid/domain/deployment';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { aRoot, DIGEST } from '@nereid/domain/deployment-testing';
import { silence, untilAsked } from '../fixtures/at-work.ts';
import { COUNTS, type Script } from '../fixtures/fake-hosts.ts';
import { GONE_SOON, SILENT_SOON, stageOfThisFile } from '../fixtures/stage.ts';
import { aCancel } from '@nereid/domain/testing';

const applied: ApplyOutcome = { kind: 'applied', counts: COUNTS };
const auto = { root: aRoot({ planReview: 'auto' }), durations: SILENT_SOON };

const stage = stageOfThisFile();

describe('an apply whose worker was lost', () => {
  test('ends as the worker that comes back on its host says, and is not begun again', async () => {
    const isShown = Promise.withResolvers<unknown>();
    const show = async ({ deployment: { progress } }: Presentation) => {
      if (progress.reason?.startsWith('The worker was lost')) isShown.resolve('shown');
    };
    const inspect = () => isShown.promise.then(() => applied);
    const deployment = await stage.start(
      { apply: silence, inspect, show },
      { ...auto, durations: { heartbeatMs: 2_000 } },
    );

    expect(await deployment.result()).toMatchObject({ status: 'succeeded', applied: COUNTS });
    await deployment.record('worker-lost-and-apply-inspected');
    expect(deployment.asked.applies).toHaveLength(1);
    expect(deployment.asked.audits.map(({ state }) => state)).toEqual(['RUNNING', 'SUCCESS']);
    expect(deployment.asked.calls).not.toContain('clean h1');
    expect(deployment.asked.shown.map((one) => one.deployment.progress.reason)).toContainEqual(
      expect.stringMatching(/^The worker was lost .* may still be running on host h1/),
    );
  });

  test('is asked for again when that worker is lost, too', async () => {
    const inspect: Script['inspect'] = (_host, attempt) => (attempt === 0 ? silence() : Promise.resolve(applied));
    // However long the first one was followed: the patience with what fails otherwise is over.
    const deployment = await stage.start(
      { apply: silence, inspect },
      { ...auto, durations: { ...SILENT_SOON, patienceMs: 1 } },
    );

    expect((await deployment.result()).status).toBe('succeeded');
    expect(deployment.asked.applies).toHaveLength(1);
  });

  test('that never began begins in a job of its own; the approval stays valid', async () => {
    const apply: Script['apply'] = (_host, attempt) => (attempt === 0 ? silence() : Promise.resolve(applied));
    const inspect: Script['inspect'] = () => Promise.resolve({ kind: 'not-begun' });
    const deployment = await stage.start({ apply, inspect }, { durations: SILENT_SOON });
    await deployment.reached('awaiting-review');
    await deployment.review();

    expect(await deployment.result()).toMatchObject({ status: 'succeeded', review: { by: 'grace' } });
    // On a machine that stalls, the second one may be lost as well.
    const { applies, audits } = deployment.asked;
    const last = applies.length - 1;
    expect(last).toBeGreaterThan(0);
    expect(new Set(applies.map(({ go }) => go.body.digest))).toEqual(new Set([DIGEST]));
    expect(new Set(applies.map(({ jobId }) => jobId)).size).toBe(applies.length);
    expect(audits.map(({ jobId, state }) => [jobId, state])).toEqual(
      applies.flatMap(({ jobId }, index) => [
        [jobId, 'RUNNING'],
        [jobId, index < last ? 'FAILURE' : 'SUCCESS'],
      ]),
    );
  });

  test('that never begins is planned and asked again after some times', async () => {
    const inspect: Script['inspect'] = () => Promise.resolve({ kind: 'not-begun' });
    const deployment = await stage.start({ apply: silence, inspect }, { durations: SILENT_SOON });
    await deployment.reached('awaiting-review');
    await deployment.review();
    await deployment.until('a second plan', ({ calls }) => calls.filter((call) => call.startsWith('plan ')).length > 1);

    expect(await deployment.reached('awaiting-review')).toMatchObject({
      reason: expect.stringContaining('before the apply began'),
    });
    expect(deployment.asked.applies).toHaveLength(3);
    await deployment.handle.cancel();
    await deployment.result();
  });

  test('has an unknown outcome when its host does not come back', async () => {
    const deployment = await stage.start(
      { claim: () => Promise.resolve('h4'), apply: goneFrom('h4') },
      { ...auto, durations: GONE_SOON },
    );

    expect(await deployment.result()).toMatchObject({
      status: 'apply-outcome-unknown',
      reason: expect.stringMatching(/host h4, .* did not come back\. .* look at the state/),
    });
    await deployment.record('apply-outcome-unknown');
    expect(deployment.asked.audits.map(({ state }) => state)).toEqual(['RUNNING', 'UNKNOWN']);
  });

  test('is waited for while its host still writes its record', async () => {
    let asked = 0;
    const isHostAlive = () => Promise.resolve((asked += 1) < 3);
    const script = { claim: () => Promise.resolve('h5'), apply: goneFrom('h5'), isHostAlive };
    const deployment = await stage.start(script, { ...auto, durations: GONE_SOON });

    expect((await deployment.result()).status).toBe('apply-outcome-unknown');
    expect(asked).toBe(3);
  });

  test('is stopped by a person who cancels it', async () => {
    const stopped: ApplyOutcome = { kind: 'failed', failure: { body: { summary: 'stopped', lines: [] } } };
    const inspect = () => untilAsked().catch(() => stopped);
    const deployment = await stage.start({ apply: silence, inspect }, auto);
    await deployment.until('inspect h1', ({ calls }) => calls.includes('inspect h1'));
    await deployment.record('apply-being-inspected');

    await deployment.handle.signal(MESSAGE.cancelling, aCancel({ deploymentId: deployment.handle.workflowId }));
    await deployment.handle.cancel();

    expect(await deployment.result()).toMatchObject({ status: 'apply-failed', reason: 'Cancelled by @carol' });
  });
});

function goneFrom(hostId: string): Script['apply'] {
  return () => {
    stage.lose(hostId);
    return Promise.reject(new Error('gone'));
  };
}
