/** What an operator does while GitHub does not answer: nothing here may ask it. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { AuditUnavailableError } from '@nereid/audit';
import { DEFAULT_POOL } from '@nereid/domain/root';
import type { TrailEvent } from '@nereid/domain/trail';
import { aDeployment, aLock, deploymentAt } from '@nereid/domain/testing';
import { StorageUnavailableError } from '@nereid/storage';
import { Client, ServiceError } from '@temporalio/client';
import { recordOwed } from '../platform/audit/record-owed.ts';
import type { WorkerContext } from '../platform/context.ts';
import { intakeStageOfThisFile } from '../intake/testing/intake-stage.ts';
import { asOrdered } from '../testing/test-signatures.ts';
import { runCommand as run } from './run-command.ts';
import { publishTo } from '../testing/publish-to.ts';

const stage = intakeStageOfThisFile();
let trail: TrailEvent[];
/** How often the audit trail is away before it takes an event. */
let failures: number;
let told: string[];

beforeEach(() => {
  [trail, failures, told] = [[], 0, []];
});

async function aLane() {
  const infra = await stage.repository({ 'README.md': '' });
  const { owner, name } = infra.repository;
  return {
    infra,
    repository: infra.repository,
    lane: infra.lane('network'),
    named: { owner, name, rootName: 'network' },
  };
}

/** GitHub is away, and the server's file names ada as its only operator. */
function context() {
  const { server } = stage.context;
  const current = () => ({
    ...server.current(),
    console: { ...server.current().console, operators: [{ login: 'ada' }] },
  });
  const record = (event: TrailEvent) => {
    failures -= 1;
    if (failures >= 0) return Promise.reject(new AuditUnavailableError(event.id, 'the topic', { cause: undefined }));
    trail.push(event);
    return Promise.resolve();
  };
  const forge = new Proxy({}, { get: () => expect('the forge').toBe('not asked') }) as never; // Whatever is asked of it fails.
  return { ...stage.context, forge, server: { ...server, current }, publish: publishTo(record) };
}

function runCommand(given: WorkerContext, command: Parameters<typeof run>[1]) {
  return run(given, command, { report: (line) => void told.push(line), minTimeout: 1 });
}

async function owed() {
  return stage.context.owedAudits.list((error) => expect(error).toBeUndefined());
}

test('a person is forgotten for no other than an operator, and without --yes nothing is done', async () => {
  const command = { verb: 'forget-person', login: 'bob', isMeant: true } as const;

  expect(await runCommand(context(), { ...command, as: 'wim' })).toEqual({
    isDone: false,
    text: "@wim is not one of console.operators in the server's file: nothing was done",
  });
  const shown = await runCommand(context(), { ...command, as: 'ada', isMeant: false });
  expect(shown.text).toContain('Nothing was changed');
  expect(trail).toEqual([]);
});

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
    expect((await lane.view())?.lifted).toMatchObject([{ unlock: { body: { by: 'ada' } } }]);
    expect(again).toEqual({ isDone: false, text: 'network is not locked' });
    expect(trail).toMatchObject([
      { action: 'unlock', state: 'REVIEWED', initiatingUser: 'ada', deploymentId: aLock().deploymentId },
      { action: 'unlock', state: 'REFUSED', initiatingUser: 'ada', sentence: 'network is not locked' },
    ]);
  });

  test('asks GitHub nothing, although the deployment that set the lock has a check run', async () => {
    const { infra, lane, named } = await aLane();
    const { deploymentId } = aLock();
    const ended = { ...aDeployment({ status: 'apply-failed' }), id: deploymentId };
    await infra.recordEnded({ ...ended, checkRuns: [{ id: 1, completed: true }] });
    await lane.record({ lock: aLock() });

    const done = await runCommand(context(), { verb: 'unlock', lane: named, as: 'ada' });

    expect(done.isDone).toBe(true);
    expect(trail).toMatchObject([{ action: 'unlock', state: 'REVIEWED' }]);
  });

  test('by somebody whom the server does not name does nothing', async () => {
    const { lane, named } = await aLane();
    await lane.record({ lock: aLock() });

    expect(await runCommand(context(), { verb: 'unlock', lane: named, as: 'wim' })).toEqual({
      isDone: false,
      text: "@wim is not one of console.operators in the server's file: nothing was done",
    });
    expect((await stage.context.laneRecords.read(named, 'network'))?.record.lock).toEqual(aLock());
  });
});

describe('an audit trail that is away', () => {
  test('is tried again while the operator waits, who is told', async () => {
    const { lane, named } = await aLane();
    await lane.record({ lock: aLock() });
    failures = 2;

    const done = await runCommand(context(), { verb: 'unlock', lane: named, as: 'ada' });

    expect(done.isDone).toBe(true);
    expect(done.text).not.toContain('audit trail');
    expect(told).toEqual([
      expect.stringMatching(
        /^recording it in the audit trail, attempt 1 of 6: cannot record the audit event .*; trying again$/,
      ),
      expect.stringContaining('attempt 2 of 6'),
    ]);
    expect(trail).toMatchObject([{ action: 'unlock', state: 'REVIEWED' }]);
    expect(await owed()).toEqual([]);
  });

  test('gets what was done from a control worker, once the command has ended for good', async () => {
    const { lane, named } = await aLane();
    await lane.record({ lock: aLock() });
    failures = Infinity;

    const done = await runCommand(context(), { verb: 'unlock', lane: named, as: 'ada' });

    expect(done.isDone).toBe(true);
    expect(done.text).toMatch(
      /^@ada unlocks network, .*\nThe audit trail does not have it yet: cannot record .* It is kept in storage, and a control worker records it as operator-\S+:REVIEWED once the trail is back\.$/,
    );
    failures = 0;
    await recordOwed(context(), Date.now() + 9 * 60_000);
    expect(trail).toEqual([]);
    await recordOwed(context(), Date.now() + 11 * 60_000);
    expect(trail).toMatchObject([{ action: 'unlock', state: 'REVIEWED', initiatingUser: 'ada' }]);
    expect(await owed()).toEqual([]);
  });

  test('keeps its events while it stays away', async () => {
    const { lane, named } = await aLane();
    await lane.record({});
    failures = Infinity;
    await runCommand(context(), { verb: 'unlock', lane: named, as: 'ada' });

    await recordOwed(context(), Date.now() + 11 * 60_000);

    expect(await owed()).toMatchObject([{ event: { state: 'REFUSED', sentence: 'network is not locked' } }]);
    failures = 0;
    await recordOwed(context(), Date.now() + 11 * 60_000);
  });

  test('is no reason to act without a note of it: where none can be kept, nothing is done', async () => {
    const { lane, named } = await aLane();
    await lane.record({ lock: aLock() });
    const away = () => Promise.reject(new StorageUnavailableError('audit/owed/x.json', 'write', { cause: undefined }));
    const owedAudits = { ...stage.context.owedAudits, keep: away };

    const refused = await runCommand({ ...context(), owedAudits }, { verb: 'unlock', lane: named, as: 'ada' });

    expect(refused).toEqual({
      isDone: false,
      text: expect.stringMatching(/^nothing was done, because it could not be kept for the audit trail: cannot write/),
    });
    expect((await stage.context.laneRecords.read(named, 'network'))?.record.lock).toEqual(aLock());
  });
});

test('what Temporal did not answer is in the trail as well, because it may have been done', async () => {
  const { lane, named } = await aLane();
  await lane.record({ lock: aLock() });

  const unknown = await runCommand(withTemporalAway(), { verb: 'unlock', lane: named, as: 'ada' });

  expect(unknown).toEqual({
    isDone: false,
    text: 'nobody knows whether the unlock of @ada was done; look at the status: expected an answer of Temporal, found: connection refused; see whether it runs, and whether this machine reaches it',
  });
  expect(trail).toMatchObject([{ action: 'unlock', state: 'REVIEWED', initiatingUser: 'ada' }]);
});

/** As the SDK fails when nobody listens. */
function withTemporalAway(): WorkerContext {
  const { connection, options } = stage.context.temporal;
  const cause = Object.assign(new Error('14 UNAVAILABLE'), { details: 'connection refused', metadata: {}, code: 14 });
  const signalWithStart = () => Promise.reject(new ServiceError('Failed to signal', { cause }));
  const interceptors = { workflow: [{ signalWithStart }] };
  return { ...context(), temporal: new Client({ connection, namespace: options.namespace, interceptors }) };
}

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
    expect(await stage.context.begunApplies.of(DEFAULT_POOL).read(deployment.id)).toMatchObject({
      overtakenBy: 'cancelled',
    });
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
