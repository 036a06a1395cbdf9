/** What an operator does while GitHub does not answer: nothing here may ask it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TrailEvent } from '@nereid/contracts';
import { aLock } from '@nereid/github/testing';
import { deploymentAt } from '@nereid/lane/testing';
import { openIntakeStage, type IntakeStage } from '../intake/testing/intake-stage.ts';
import { asOrdered } from '../testing/test-signatures.ts';
import { runCommand } from './run-command.ts';

let stage: IntakeStage;
let trail: TrailEvent[];

beforeAll(async () => {
  stage = await openIntakeStage();
});

beforeEach(() => {
  trail = [];
});

afterAll(() => stage.close());

async function aLane() {
  const infra = await stage.repository({ 'README.md': '' });
  const { owner, name } = infra.repository;
  return { repository: infra.repository, lane: infra.lane('network'), named: { owner, name, rootName: 'network' } };
}

/** GitHub is away, and the server's file names ada as its only operator. */
function context() {
  const { server } = stage.context;
  const current = () => ({
    ...server.current(),
    console: { ...server.current().console, operators: [{ login: 'ada' }] },
  });
  const record = (event: TrailEvent) => {
    trail.push(event);
    return Promise.resolve();
  };
  const github = new Proxy({}, { get: () => expect('GitHub').toBe('not asked') }) as never; // Whatever is asked of it fails.
  return { ...stage.context, github, server: { ...server, current }, audit: { record, close: () => undefined } };
}

describe('unlock', () => {
  test('lifts the lock, and the trail has the operator', async () => {
    const { lane, named } = await aLane();
    await lane.record({ lock: aLock() });

    const done = await runCommand(context(), { verb: 'unlock', lane: named, as: 'ada' });
    const again = await runCommand(context(), { verb: 'unlock', lane: named, as: 'ada' });

    expect(done).toEqual({
      isDone: true,
      text: '@ada unlocks network, which was locked by a manual deployment of def5678 by @bob',
    });
    expect((await lane.view())?.lifted).toMatchObject([{ liftedBy: 'ada' }]);
    expect(again).toEqual({ isDone: false, text: 'network is not locked' });
    expect(trail).toMatchObject([
      { action: 'unlock', state: 'REVIEWED', initiatingUser: 'ada', deploymentId: aLock().deploymentId },
      { action: 'unlock', state: 'REFUSED', initiatingUser: 'ada', sentence: 'network is not locked' },
    ]);
  });

  test('by somebody whom the server does not name does nothing', async () => {
    const { lane, named } = await aLane();
    await lane.record({ lock: aLock() });

    expect(await runCommand(context(), { verb: 'unlock', lane: named, as: 'wim' })).toEqual({
      isDone: false,
      text: "@wim is none of console.operators in the server's file: nothing was done",
    });
    expect((await stage.context.laneRecords.read(named, 'network'))?.record.lock).toEqual(aLock());
  });
});

describe('cancel', () => {
  test('ends a deployment that waits, before anything of it is applied', async () => {
    const { repository, lane, named } = await aLane();
    const deployment = await asOrdered(repository, deploymentAt(1, { id: randomUUID() }));
    await lane.start({ lock: aLock(), merged: [deployment] });
    const command = { verb: 'cancel', lane: named, as: 'ada' } as const;

    const nothing = await runCommand(context(), command);
    const done = await runCommand(context(), { ...command, deploymentId: deployment.id });

    expect(nothing).toEqual({ isDone: false, text: 'nothing runs in network' });
    expect(done).toEqual({ isDone: true, text: `@ada cancels deployment ${deployment.id} of network` });
    expect(await stage.context.begunApplies.read(deployment.id)).toMatchObject({ overtakenBy: 'cancelled' });
    expect(trail.at(-1)).toMatchObject({ action: 'cancel', state: 'REVIEWED', deploymentId: deployment.id });
  });
});

describe('status', () => {
  test('tells what a lane waits for', async () => {
    const { lane, named } = await aLane();
    await lane.start({ lock: aLock(), merged: [deploymentAt(1)] });

    const { text } = await runCommand(context(), { verb: 'status', lane: named });

    expect(text).toContain('locked by a manual deployment of def5678 by @bob, since 2026-01-31T13:00:00.000Z');
    expect(text).toContain('1 waiting:');
    expect(trail).toEqual([]);
  });

  test('of a lane that is none says so', async () => {
    const { named } = await aLane();

    expect(await runCommand(context(), { verb: 'status', lane: named })).toMatchObject({
      isDone: false,
      text: expect.stringContaining('nothing was ever deployed to'),
    });
  });
});
