import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { RECONCILE_SCHEDULE } from '@nereid/domain/temporal-names';
import { isJobAuditEvent } from '@nereid/domain/trail';
import { UNSEALED } from '@nereid/process';
import { replayHistories } from '@nereid/test-kit/replay';
import { Client, Connection } from '@temporalio/client';
import { setTimeout as pause } from 'node:timers/promises';
import { openTerrain, until, type Terrain } from './terrain.ts';

/** A worker that is dead is noticed by its heartbeats: after a minute, or two in a row. */
jest.setTimeout(600_000);

let terrain: Terrain;

beforeAll(async () => {
  terrain = await openTerrain(process.env);
});

afterAll(() => terrain.closeGenuine());

/** The deployment ended as applied, once, and the audit trail says so. */
async function expectAppliedOnce(sha: string, name: string): Promise<void> {
  const { externalId } = await terrain.applied('network', sha);
  expect((await terrain.ledger()).filter((entry) => entry === name)).toEqual([name]);
  await terrain.isAuditedOnce(externalId);
}

describe('a worker that is killed', () => {
  // From the webhook to the plan: intake, claim, checkout, plan, keeping the plan.
  test.each([150, 450])('%i ms after a push costs nothing', async (ms) => {
    const name = `pushed-${ms}`;
    const sha = await terrain.push('network', name);
    await pause(ms);
    await terrain.stack.kill('worker');

    await terrain.confirm('network', sha);

    await expectAppliedOnce(sha, name);
  });

  test('while a person is asked costs nothing: the approval given later is applied from the kept plan', async () => {
    const sha = await terrain.push('network', 'review');
    const { externalId } = await terrain.scene.planned({ root: 'network', sha });

    await terrain.stack.kill('worker');
    await terrain.confirm('network', sha);

    await expectAppliedOnce(sha, 'review');
    expect((await terrain.applied('network', sha)).externalId).toBe(externalId);
  });

  test.each([40, 120])('%i ms after Confirm costs nothing', async (ms) => {
    const name = `confirmed-${ms}`;
    const sha = await terrain.push('network', name);
    await terrain.confirm('network', sha);
    await pause(ms);
    await terrain.stack.kill('worker');

    await expectAppliedOnce(sha, name);
  });

  test('during an apply does not kill it: the next worker tells its end, although it dies once more', async () => {
    const sha = await terrain.push('network', 'slow', { applySeconds: 8 });
    await terrain.confirm('network', sha);
    await terrain.applyBegins('slow');

    await terrain.stack.kill('worker');
    await pause(4_000);
    await terrain.stack.kill('worker');

    await expectAppliedOnce(sha, 'slow');
  });

  test('together with all its Terraform leaves an outcome that nobody knows, and Unlock goes on', async () => {
    const sha = await terrain.push('network', 'lost', { applySeconds: 600 });
    await terrain.confirm('network', sha);
    await terrain.applyBegins('lost');

    await terrain.stack.kill('worker');
    await terrain.killLeftovers();

    const unknown = await terrain.seen(
      'network',
      sha,
      'outcome unknown',
      ({ conclusion }) => conclusion === 'timed_out',
    );
    expect(unknown.output.title).toBe('Apply interrupted: outcome unknown');
    expect(await terrain.ledger()).not.toContain('lost');
    await terrain.isAudited(unknown.externalId, ['RUNNING', 'UNKNOWN']);
    const next = await terrain.push('network', 'after');
    await terrain.seen('network', next, 'waits for the lock', ({ actions }) => actions[0]?.label === 'Unlock');

    terrain.scene.press(unknown, 'Unlock', 'alice');

    await terrain.confirm('network', next);
    await terrain.applied('network', next);
    expect((await terrain.ledger()).filter((entry) => entry === 'after')).toEqual(['after']);
  });
});

describe('Temporal that is killed', () => {
  test('while a person is asked costs nothing', async () => {
    const sha = await terrain.push('network', 'temporal-review');
    await terrain.scene.planned({ root: 'network', sha });

    await terrain.stack.kill('temporal');
    await terrain.listens();
    await terrain.confirm('network', sha);

    await expectAppliedOnce(sha, 'temporal-review');
  });

  test('during an apply costs nothing: its end is told when Temporal is back', async () => {
    const sha = await terrain.push('network', 'temporal-apply', { applySeconds: 5 });
    await terrain.confirm('network', sha);
    await terrain.applyBegins('temporal-apply');

    await terrain.stack.kill('temporal');

    await expectAppliedOnce(sha, 'temporal-apply');
  });
});

test('a push while the gateway is dead is brought by the reconciler', async () => {
  await using connection = await opened();
  const schedule = new Client({ connection }).schedule.getHandle(RECONCILE_SCHEDULE);
  // The mark is where everything so far was reconciled.
  await schedule.trigger();
  await until('a first run', async () => (await schedule.describe()).info.numActionsTaken > 1);
  await terrain.stack.holdDown('gateway');
  const sha = await terrain.push('network', 'unheard');
  await until('a webhook that failed', async () =>
    Promise.resolve(
      terrain.stack.github
        .deliveries()
        .some(({ event, payload, statusCode }) => event === 'push' && payload.includes(sha) && statusCode !== 202),
    ),
  );

  await terrain.stack.letUp('gateway');
  await terrain.listens();
  // A round may be under way, and may have looked already.
  await schedule.trigger('BUFFER_ONE');

  await terrain.confirm('network', sha);
  await expectAppliedOnce(sha, 'unheard');
});

test('afterwards no apply was doubled, none is unaccounted for, and every workflow could be replayed', async () => {
  const ledger = await terrain.ledger();
  expect(new Set(ledger).size).toBe(ledger.length);
  const trail = (await terrain.stack.storage.auditTrail()).filter(isJobAuditEvent);
  const ends = Map.groupBy(
    trail.filter(({ state }) => state !== 'RUNNING'),
    ({ jobId }) => jobId,
  );
  for (const { jobId } of trail.filter(({ state }) => state === 'RUNNING')) expect(ends.get(jobId)).toHaveLength(1);
  expect((await replayHistories(terrain.stack.temporalAddress, UNSEALED)).failures).toEqual([]);
});

async function opened(): Promise<Connection & AsyncDisposable> {
  const connection = await Connection.connect({ address: terrain.stack.temporalAddress });
  return Object.assign(connection, { [Symbol.asyncDispose]: () => connection.close() });
}
