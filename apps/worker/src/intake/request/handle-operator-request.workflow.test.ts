import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { HostRequest } from '@nereid/domain/host';
import { sealedProof } from '../../testing/test-signatures.ts';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';

const stage = intakeStageOfThisFile();
let hostId: string;
let drain: HostRequest;

/** A host of its own, which ada may drain. */
beforeEach(async () => {
  hostId = randomUUID();
  drain = { action: 'drain', hostId };
  await stage.context.hostRecords.write(aRecord());
});

const asked = () => stage.context.drainRecords.read(hostId);

describe('an operator', () => {
  test('drains a host, which is stored and audited', async () => {
    const delivery = randomUUID();
    const receivedAt = new Date().toISOString();

    const result = await stage.askOperators(drain, { delivery, receivedAt });

    expect(result).toMatchObject({
      kind: 'signalled',
      sentence: `@ada drains ${hostId}: within 15 seconds it takes no more work, and what runs goes on`,
      userActions: [{ body: { action: drain }, signature: expect.any(String) }],
    });
    expect(result.userActions?.[0]?.body.action).toEqual(drain);
    expect(await asked()).toEqual({ version: 1, ...drain, requestId: delivery, by: 'ada', at: receivedAt });
  });

  test('resumes it', async () => {
    await stage.askOperators(drain);

    const result = await stage.askOperators({ action: 'resume', hostId });

    expect(result).toMatchObject({
      kind: 'signalled',
      userActions: [{ body: { action: { action: 'resume', hostId } } }],
    });
    expect(await asked()).toMatchObject({ action: 'resume', by: 'ada' });
  });

  test('drains a host that is away, and resumes one that was stopped meanwhile', async () => {
    await stage.context.hostRecords.write(aRecord({ at: '2026-01-31T14:00:00.000Z' }));
    expect((await stage.askOperators(drain)).kind).toBe('signalled');

    await stage.context.hostRecords.remove(hostId);
    expect((await stage.askOperators({ action: 'resume', hostId })).kind).toBe('signalled');
  });

  test('drains no host that never was', async () => {
    const result = await stage.askOperators({ action: 'drain', hostId: 'h9' });

    expect(result).toMatchObject({ kind: 'refused', sentence: 'there is no host h9' });
    expect(await stage.context.drainRecords.read('h9')).toBeUndefined();
  });
});

test('notifications of a destination that the file does not have are sent nowhere again', async () => {
  const request = { action: 'send_again', destination: 'nowhere' } as const;

  const result = await stage.askOperators(request);

  expect(result).toMatchObject({
    kind: 'refused',
    sentence: "notifications of the server's file has no destination nowhere",
    userActions: [{ body: { action: request } }],
  });
});

describe('a request', () => {
  test('that is taken again changes nothing', async () => {
    const attempt = { delivery: randomUUID(), receivedAt: new Date().toISOString() };
    await stage.askOperators(drain, attempt);
    const first = await asked();

    const again = await stage.askOperators(drain, { ...attempt, attempt: 2 });

    expect(again.kind).toBe('signalled');
    expect(await asked()).toEqual(first);
  });

  test('that somebody kept does not undo what was asked after it', async () => {
    const [before, after] = [-60_000, -30_000].map((ms) => new Date(Date.now() + ms).toISOString());
    await stage.askOperators({ action: 'resume', hostId }, { receivedAt: String(after) });

    const result = await stage.askOperators(drain, { receivedAt: String(before) });

    const sentence = `@ada wanted to resume ${hostId} after you did, and that holds`;
    expect(result).toMatchObject({
      kind: 'refused',
      sentence,
      userActions: [{ body: { action: { ...drain, refusal: sentence } } }],
    });
    expect(await asked()).toMatchObject({ action: 'resume' });
  });

  test('with the seal of another one is not taken', async () => {
    const repository = { owner: 'acme', name: 'infra', installationId: 1 };
    const proof = await sealedProof({ mode: 'token', token: 'token of ada' }, 'r', { repository });

    const result = await stage.deliver(
      { kind: 'operator-request', request: drain, sender: 'ada', proof },
      { delivery: 'r' },
    );

    expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('sealed for something else') });
    expect(await asked()).toBeUndefined();
  });
});

describe('a person who may not', () => {
  test('is told who may, which is audited, and the host goes on', async () => {
    const result = await stage.askOperators(drain, { sender: 'wim' });

    const sentence = '@wim may not drain hosts: ask @ada';
    expect(result).toMatchObject({
      kind: 'refused',
      sentence,
      userActions: [{ body: { action: { ...drain, refusal: sentence } } }],
    });
    expect(await asked()).toBeUndefined();
  });

  test('is noted in the audit trail once an hour, however often they ask', async () => {
    const attempt = { sender: 'rea', delivery: randomUUID() };

    const first = [
      await stage.askOperators(drain, attempt),
      await stage.askOperators(drain, { ...attempt, attempt: 2 }),
    ];
    const second = await stage.askOperators(drain, { sender: 'rea' });

    expect(first).toMatchObject([
      { userActions: [{ body: { action: drain } }] },
      { userActions: [{ body: { action: drain } }] },
    ]);
    expect(second).toMatchObject({ kind: 'refused', sentence: '@rea may not drain hosts: ask @ada' });
    expect(second).not.toHaveProperty('userActions');
  });

  test('includes everybody where the server names no operators', async () => {
    const { server } = stage.context;
    const current = server.current();
    const none = { ...current, console: { ...current.console, operators: [] } };

    const result = await stage.askOperators(drain, { server: { current: () => none } });

    expect(result).toMatchObject({
      kind: 'refused',
      sentence: "nobody may drain hosts: console.operators in the server's file names nobody",
    });
  });

  test('is an operator whose token permits other things', async () => {
    const result = await stage.askOperators(drain, { proof: { mode: 'token', token: 'token of reads' } });

    expect(result).toMatchObject({ kind: 'refused', sentence: 'the token reads has no scope "hosts"' });
  });

  test('is an operator whose token is for some repositories only', async () => {
    const result = await stage.askOperators(drain, { proof: { mode: 'token', token: 'token of some' } });

    expect(result).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('is for some repositories only'),
    });
    expect(await asked()).toBeUndefined();
  });

  test('cannot pose as an operator', async () => {
    const proof = { mode: 'token', token: 'token of wim' } as const;

    await expect(stage.askOperators(drain, { sender: 'ada', proof })).rejects.toMatchObject({ type: 'FORGED' });
    expect(await asked()).toBeUndefined();
  });
});

function aRecord({ at = new Date().toISOString() } = {}) {
  return { version: 1, hostId, at, slots: { total: 4, used: 0 }, draining: false } as const;
}
