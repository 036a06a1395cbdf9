import { describe, expect, test } from '@jest/globals';
import { planned, plannedOn } from '../testing.ts';
import { auto, go, NOW, play, SHOWN } from '../testing/played-deployment.ts';

describe('a wait', () => {
  test('for a person ends with the review', () => {
    const deployment = play();
    deployment.answers('plan', plannedOn('d1', 'h1', planned()));
    deployment.answers('show', SHOWN);

    const closesAt = Date.parse(deployment.progress.plan?.expiresAt ?? '');
    expect(deployment.waitsUntil()).toBe(closesAt);

    deployment.passes(closesAt - NOW);
    expect(deployment.progress.status).toBe('expired');
  });

  test('for a host has no bound, and is explained less and less often', () => {
    const deployment = play({ durations: { quietMs: 24 * 3_600_000 } });
    const asked: number[] = [];
    for (let asks = 0; asks < 4; asks += 1) {
      deployment.passes(deployment.waitsUntil() - deployment.now);
      asked.push(deployment.now - NOW);
      deployment.answers('explain-wait', { kind: 'waits', why: 'all slots are in use' });
    }

    expect(asked).toEqual([60_000, 180_000, 420_000, 900_000]);
    expect(deployment.progress).toMatchObject({ status: 'preparing', waitsFor: 'host' });
  });

  test('for a host that takes a plan asks nobody within a minute; the log of the plan can be found all the same', () => {
    const deployment = play({ durations: { quietMs: 24 * 3_600_000 } });
    deployment.passes(59_999);

    expect(deployment.effects.map(({ kind }) => kind)).toEqual(['plan']);
    const job = { id: 'd1-plan-1', startedAt: new Date(NOW).toISOString() };
    expect(deployment.progress).toMatchObject({ status: 'preparing', jobs: { plan: job } });
    expect(deployment.progress).not.toHaveProperty('reason');
  });

  test('for a slot to apply is shown after ten seconds, before anybody is asked why', () => {
    const deployment = play({ ...auto, durations: { quietMs: 0 } });
    deployment.answers('plan', plannedOn('d1', 'h1', planned()));
    deployment.answers('begin', go);
    deployment.fails('apply', { kind: 'failed', code: 'HOST_DECLINED', why: 'its slots are in use' });
    deployment.passes(1_000);
    expect(deployment.progress).not.toHaveProperty('waitsFor');

    expect(deployment.waitsUntil()).toBe(deployment.now + 10_000);
    deployment.passes(10_000);

    expect(deployment.progress).toMatchObject({ status: 'applying', waitsFor: 'host', reason: expect.any(String) });
    expect(deployment.effects.map(({ kind }) => kind)).not.toContain('explain-wait');
  });

  test('for a host that is said to be over shows the host, and since when', () => {
    const deployment = play({ durations: { quietMs: 24 * 3_600_000 } });
    deployment.passes(60_000);

    deployment.answers('explain-wait', { kind: 'at work', hostId: 'h1', since: new Date(NOW + 2_000).toISOString() });

    expect(deployment.progress).toMatchObject({
      status: 'planning',
      hostId: 'h1',
      times: { planning: new Date(NOW + 2_000).toISOString() },
      jobs: { plan: { id: 'd1-plan-1' } },
    });
  });

  test('for a host that is said to be over is asked about again: the host may have died, or was a lie', () => {
    const deployment = play({ durations: { quietMs: 24 * 3_600_000 } });
    deployment.passes(60_000);
    deployment.answers('explain-wait', { kind: 'at work', hostId: 'h1', since: new Date(NOW + 2_000).toISOString() });

    expect(deployment.waitsUntil()).toBe(NOW + 180_000);
    deployment.passes(120_000);
    deployment.answers('explain-wait', { kind: 'waits', why: 'all slots are in use' });
    expect(deployment.progress).toMatchObject({ waitsFor: 'host', reason: 'all slots are in use' });
    expect(deployment.progress).not.toHaveProperty('hostId');

    deployment.passes(240_000);
    deployment.answers('explain-wait', { kind: 'at work', hostId: 'h2', since: new Date(NOW + 300_000).toISOString() });
    expect(deployment.progress).toMatchObject({ status: 'planning', hostId: 'h2' });
    expect(deployment.progress).not.toHaveProperty('waitsFor');
    expect(deployment.progress).not.toHaveProperty('reason');
  });

  test('for a host that was said to be over uses up no patience with failures', () => {
    const deployment = play({ ...auto, durations: { quietMs: 24 * 3_600_000 } });
    deployment.passes(60_000);
    deployment.answers('explain-wait', { kind: 'at work', hostId: 'h1', since: new Date(NOW).toISOString() });
    deployment.passes(3_600_000);
    deployment.answers('explain-wait', { kind: 'waits', why: 'all slots are in use' });
    const host = { hostId: 'h2', since: new Date(deployment.now).toISOString() };

    deployment.fails('plan', { kind: 'failed', why: 'GitHub is away', host });

    expect(deployment.progress.reason).toContain('is tried again');
  });

  test.each([
    ['later than it is', 3_600_000, 60_000],
    ['earlier than it began', -3_600_000, 0],
    ['no time at all', NaN, 60_000],
  ])('for a host that says %s ends within it all the same', (_what, saysMs, endsMs) => {
    const deployment = play({ durations: { quietMs: 24 * 3_600_000 } });
    deployment.passes(60_000);
    const since = Number.isNaN(saysMs) ? 'some day' : new Date(NOW + saysMs).toISOString();

    deployment.answers('explain-wait', { kind: 'at work', hostId: 'h1', since });

    expect(deployment.progress.times.planning).toBe(new Date(NOW + endsMs).toISOString());
  });

  test('for a host names the one that answers, whoever was said to plan before', () => {
    const deployment = play();
    deployment.passes(60_000);
    deployment.answers('explain-wait', { kind: 'at work', hostId: 'elsewhere', since: new Date(NOW).toISOString() });

    deployment.answers('plan', plannedOn('d1', 'h1', planned({ hasChanges: false })));

    expect(deployment.progress.hostId).toBe('h1');
  });

  test('for a host uses up no patience with failures', () => {
    const deployment = play(auto);
    deployment.fails('plan', { kind: 'failed', why: 'GitHub is away' });
    deployment.passes(1_000);
    deployment.passes(3_600_000);
    const host = { hostId: 'h1', since: new Date(deployment.now).toISOString() };

    deployment.fails('plan', { kind: 'failed', why: 'GitHub is away', host });

    expect(deployment.progress).toMatchObject({
      status: 'planning',
      reason: expect.stringContaining('is tried again'),
    });
  });
});
