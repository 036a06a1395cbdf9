import { describe, expect, test } from '@jest/globals';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { ApplicationFailure } from '@temporalio/common';
import { aRoot } from '@nereid/domain/deployment-testing';
import { declined, untilAsked } from './fixtures/at-work.ts';
import { COUNTS } from './fixtures/fake-hosts.ts';
import { stageOfThisFile } from './fixtures/stage.ts';
import { aCancel } from '@nereid/domain/testing';

const stage = stageOfThisFile();

const auto = { root: aRoot({ planReview: 'auto' }) };
const stopped = { kind: 'failed', failure: { body: { summary: 'stopped', lines: [] } } } as const;

describe('a deployment that is cancelled', () => {
  test('while it waits for a host ends as cancelled, with nothing to clean on any host', async () => {
    const deployment = await stage.start({ claim: declined });
    await deployment.reached('preparing');

    await deployment.handle.cancel();

    expect((await deployment.result()).status).toBe('cancelled');
    expect(deployment.asked.calls).toEqual([]);
  });

  test('while it is planned stops the plan, waits for its end, and ends as cancelled', async () => {
    const ended: string[] = [];
    const plan = async () => {
      await untilAsked().catch(() => ended.push('plan'));
      return stopped;
    };
    const deployment = await stage.start({ plan }, auto);
    await deployment.until('plan h1', ({ calls }) => calls.includes('plan h1'));

    await deployment.handle.cancel();

    expect((await deployment.result()).status).toBe('cancelled');
    await deployment.record('cancelled-while-planned');
    expect(ended).toEqual(['plan']);
    expect(deployment.asked.calls).toEqual(['claim h1', 'plan h1']);
  });

  test('while a person is asked ends as cancelled, and the plan that was kept is deleted', async () => {
    const deployment = await stage.start();
    await deployment.reached('awaiting-review');

    await deployment.handle.signal(MESSAGE.cancelling, aCancel({ deploymentId: deployment.handle.workflowId }));
    await deployment.handle.cancel();

    expect(await deployment.result()).toMatchObject({ status: 'cancelled', reason: 'Cancelled by @carol' });
    await deployment.record('cancelled-while-asked');
    expect(deployment.asked.calls.slice(2).toSorted()).toEqual(['clean h1', 'delete plan']);
    expect(deployment.asked.audits).toEqual([]);
  });

  test('while its apply waits for a host ends as cancelled, and the audit trail gets its end', async () => {
    const deployment = await stage.start(
      {
        claim: (attempt) => (attempt === 0 ? Promise.resolve('h1') : declined()),
        apply: () => Promise.reject(ApplicationFailure.retryable('the host is draining', 'HOST_DECLINED')),
      },
      auto,
    );
    await deployment.until('apply h1', ({ calls }) => calls.includes('apply h1'));

    await deployment.handle.cancel();

    expect(await deployment.result()).toMatchObject({
      status: 'cancelled',
      reason: 'Cancelled in Temporal',
    });
    expect(deployment.asked.audits.map(({ state }) => state)).toEqual(['RUNNING', 'FAILURE']);
    expect(deployment.asked.calls).toEqual(expect.arrayContaining(['clean h1', 'delete plan']));
  });

  test('while it is applied ends as what the apply came to: stopped', async () => {
    const deployment = await stage.start({ apply: () => untilAsked().catch(() => stopped) }, auto);
    await deployment.until('apply h1', ({ calls }) => calls.includes('apply h1'));
    await deployment.record('applying');

    await deployment.handle.signal(MESSAGE.cancelling, aCancel({ deploymentId: deployment.handle.workflowId }));
    await deployment.handle.cancel();

    expect(await deployment.result()).toMatchObject({
      status: 'apply-failed',
      failure: stopped.failure,
      reason: 'Cancelled by @carol',
    });
    await deployment.record('cancelled-while-applied');
    expect(deployment.asked.audits.map(({ state }) => state)).toEqual(['RUNNING', 'FAILURE']);
    expect(deployment.asked.calls).not.toContain('clean h1');
  });

  test.each(['planned', 'applied'])('while it is %s reaches its host before any heartbeat', async (what) => {
    const told = Promise.withResolvers<undefined>();
    const stop = (hostId: string) => {
      if (hostId === 'h1') told.resolve(undefined);
      return Promise.resolve();
    };
    const untilTold = async () => {
      await told.promise;
      return stopped;
    };
    const call = what === 'planned' ? 'plan h1' : 'apply h1';
    const script = what === 'planned' ? { plan: untilTold, stop } : { apply: untilTold, stop };
    const deployment = await stage.start(script, auto);
    await deployment.until(call, ({ calls }) => calls.includes(call));

    await deployment.handle.cancel();

    expect((await deployment.result()).status).toBe(what === 'planned' ? 'cancelled' : 'apply-failed');
  });

  test('while its host hears of nothing waits for it, and ends all the same', async () => {
    const stop = () => Promise.reject(ApplicationFailure.nonRetryable('no such activity', 'ABSENT'));
    const deployment = await stage.start({ apply: () => untilAsked().catch(() => stopped), stop }, auto);
    await deployment.until('apply h1', ({ calls }) => calls.includes('apply h1'));

    await deployment.handle.cancel();

    expect((await deployment.result()).status).toBe('apply-failed');
  });

  test('while it is applied and too late is succeeded', async () => {
    const applied = { kind: 'applied', counts: COUNTS } as const;
    const deployment = await stage.start({ apply: () => untilAsked().catch(() => applied) }, auto);
    await deployment.until('apply h1', ({ calls }) => calls.includes('apply h1'));

    await deployment.handle.cancel();

    expect((await deployment.result()).status).toBe('succeeded');
    expect(deployment.asked.audits.map(({ state }) => state)).toEqual(['RUNNING', 'SUCCESS']);
  });
});
