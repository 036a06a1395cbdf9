/**
 * Somebody who reaches Temporal sends again what was signed, under other names and ids, and ends workflows by force at the worst
 * moments. Nothing is deployed but what was asked for, once, and it is deployed all the same.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TerraformInput } from '@nereid/domain/deployment';
import type { ReceivedEvent } from '@nereid/domain/intake';
import { laneWorkflowId } from '@nereid/domain/lane';
import type { Signed } from '@nereid/domain/signed';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import { randomUUID } from 'node:crypto';
import { openCourier, type Courier } from './courier.ts';
import { openTerrain, until, type Terrain } from '../faults/terrain.ts';
import { type RootName } from '../sample/repository.ts';

let terrain: Terrain;
let courier: Courier;
/** What was applied without a review. */
let input: TerraformInput;
/** The push that brought it. */
let received: Signed<ReceivedEvent>;

beforeAll(async () => {
  terrain = await openTerrain(process.env);
  courier = await openCourier(terrain.stack.temporalAddress);
  const sha = await terrain.push('dns', 'asked-for');
  const { externalId } = await terrain.applied('dns', sha);
  input = await courier.inputOf(externalId);
  const [delivery = ''] = input.deployment.requestId.split(':');
  received = await courier.eventOf(delivery);
});

afterAll(async () => {
  await courier[Symbol.asyncDispose]();
  await terrain.close();
});

async function isSeen(kind: string): Promise<void> {
  await until(`the audit trail to name a forged ${kind}`, async () => {
    const trail: readonly { readonly state: string; readonly forged?: unknown }[] =
      await terrain.stack.storage.auditTrail();
    return trail.some(({ forged }) => forged === kind);
  });
}

describe('sent again', () => {
  test('an order under another id is one that nobody signed', async () => {
    const deployment = { ...input.deployment, id: randomUUID() };

    const result = await courier.run(WORKFLOW.terraform, CONTROL_QUEUE, { ...input, deployment });

    expect(result).toMatchObject({ progress: { status: 'plan-failed' } });
    await isSeen('order/deploy');
  });

  test('an order under its own id, in another workflow, finds that its apply has begun', async () => {
    const result = await courier.run(WORKFLOW.terraform, CONTROL_QUEUE, input);

    expect(result).toMatchObject({ progress: { status: 'succeeded' } });
  });

  test('an event under another id is one that nobody signed', async () => {
    const again = { ...received, body: { ...received.body, delivery: randomUUID() } };

    expect(await courier.run(WORKFLOW.intake, CONTROL_QUEUE, again)).toMatchObject({ type: 'FORGED' });
    await isSeen('event/github');
  });

  test('an event in another workflow brings no second deployment', async () => {
    await courier.run(WORKFLOW.intake, CONTROL_QUEUE, received);

    const next = await terrain.push('dns', 'next');
    await terrain.applied('dns', next);
    expect(await terrain.ledger()).toEqual(['asked-for', 'next']);
    expect(await terrain.plans()).toEqual([input.deployment.revision.sha, next]);
  });
});

describe('ended by force', () => {
  const laneOf = (root: RootName) => laneWorkflowId(input.repository, root);

  test('a lane whose deployment waits for a person: that goes on, and so does the lane', async () => {
    const sha = await terrain.push('network', 'without-its-lane');
    const run = await terrain.scene.planned({ root: 'network', sha });

    await courier.terminate(laneOf('network'));
    terrain.scene.press(run, 'Confirm', 'alice');

    await terrain.applied('network', sha);
    const next = await terrain.push('network', 'with-its-lane');
    await terrain.confirm('network', next);
    await terrain.applied('network', next);
  });

  test('a deployment that is applied: its end is shown as its host knows it', async () => {
    const sha = await terrain.push('database', 'held', { isHeld: true });
    await terrain.confirm('database', sha);
    await terrain.applyBegins('held');
    const { externalId } = await terrain.seen('database', sha, 'a deployment', () => true);

    await courier.terminate(externalId);
    await terrain.letEnd('held');

    await terrain.applied('database', sha);
    await terrain.isAudited(externalId, ['RUNNING', 'SUCCESS']);
  });

  test('a deployment and its lane, in review: the next one is deployed, and nothing of this one', async () => {
    const sha = await terrain.push('service', 'given-up');
    const { externalId } = await terrain.scene.planned({ root: 'service', sha });

    await courier.terminate(laneOf('service'));
    await courier.terminate(externalId);

    const next = await terrain.push('service', 'after-it');
    await terrain.confirm('service', next);
    await terrain.applied('service', next);
  });
});

test('in the end, everything that was asked for and confirmed was applied once', async () => {
  const once = ['asked-for', 'next', 'without-its-lane', 'with-its-lane', 'held', 'after-it'];
  expect(await terrain.ledger()).toEqual(once);
});
