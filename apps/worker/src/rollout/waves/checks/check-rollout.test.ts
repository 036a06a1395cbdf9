/** The checks of a canary, from the end of its deployment to the wave after it: real requests, and what storage knows of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { askGate } from '@nereid/domain/gates';
import { REPOSITORY } from '@nereid/domain/testing';
import { status } from '@nereid/test-kit/receiver';
import { strangers, testSignatures } from '../../../testing/test-signatures.ts';
import { isHaltedByCheck } from '../find-wave.ts';
import { soakFacts } from '../soak-facts.ts';
import { deploymentOf, ID, openCheckedCanary, SHA, type CheckedCanary } from './testing.ts';

const HOUR = 3_600_000;
const { owner, name } = REPOSITORY;

let canary: CheckedCanary;

beforeEach(async () => {
  canary = await openCheckedCanary();
});

afterEach(async () => {
  jest.useRealTimers();
  await canary.close();
});

/** The clock of the worker, while requests go on. */
function setClock(ms: number): void {
  const doNotFake = [
    'setTimeout',
    'setInterval',
    'setImmediate',
    'clearTimeout',
    'clearInterval',
    'clearImmediate',
  ] as const;
  jest.useFakeTimers({ now: ms, doNotFake: [...doNotFake, 'nextTick', 'queueMicrotask', 'performance', 'hrtime'] });
}

describe('the wave after a canary with a check', () => {
  test('waits until a worker has asked, and goes once the check has passed', async () => {
    await canary.deploy();
    expect(await canary.gate()).toMatchObject({
      sentence:
        'waits for the checks of wave 1 of 2 (canary), which has soaked; nereid/rollout says how its checks stand',
      who: ['operators', 'skip_soak'],
    });

    canary.told = [];
    await canary.check();

    expect(await canary.gate()).toEqual({ kind: 'passes' });
    expect(canary.told).toEqual(['acme/infra||dns', 'acme/infra||web']);
    await canary.check();
    expect(canary.asked()).toBe(1);
    expect(canary.events).toEqual([]);
  });

  test('waits for a command at work, beside which other checks are asked, and their answers kept', async () => {
    const rule = { name: 'smoke', everyMs: 0, failures: 1, timeoutMs: 60_000 };
    canary.checks = [canary.aCheck({ everyMs: HOUR }), { ...rule, target: { kind: 'run', command: 'true' } }];
    await canary.deploy();

    await canary.check(3);

    expect(canary.asked()).toBe(1);
    expect(await canary.stored()).toMatchObject({ state: 'checking', results: [{ check: 'page', failures: 0 }] });
    expect(await canary.gate()).toMatchObject({
      sentence: expect.stringContaining('which has soaked'),
    });
  });

  test('is halted by so many failures in a row, with the last answer, and people are told once', async () => {
    canary.server.always(status(500));
    await canary.deploy();

    await canary.check();
    expect(await canary.stored()).toMatchObject({
      results: [{ failures: 1, answer: 'answered 500, expected 200 to 299' }],
    });
    canary.told = [];
    await canary.check();

    const said =
      /^wave 1 of 2 \(canary\): its check page failed 2 times in a row, last at .* UTC, and answered 500, expected 200 to 299\. /;
    const sentence = expect.stringMatching(said);
    const halted = expect.stringMatching(`^is halted by ${said.source.slice(1)}`);
    expect(await canary.gate()).toMatchObject({ sentence: halted, who: ['rerun', 'skip_soak'] });
    expect(canary.told).toEqual(['acme/infra||dns', 'acme/infra||web']);
    expect(canary.events).toMatchObject([{ kind: 'halted', repository: { owner, name }, revision: SHA, sentence }]);
    await canary.check();
    expect(canary.asked()).toBe(2);
    const isHalted = (rootName: string) => isHaltedByCheck(canary.context, REPOSITORY, { sha: SHA, rootName });
    expect([await isHalted('app'), await isHalted('dns'), await isHalted('other')]).toEqual([true, false, false]);
  });

  test('is not halted by failures between which it passed', async () => {
    canary.server.meet(status(500), status(204), status(500));
    await canary.deploy({ soakMs: HOUR });

    await canary.check(3);

    expect(await canary.stored()).toMatchObject({ state: 'checking', results: [{ failures: 1 }] });
  });

  test('stays halted if the check would pass again, and goes once a merged fix is deployed and checked', async () => {
    canary.server.meet(status(500), status(500));
    await canary.deploy();
    await canary.check(3);
    expect(await canary.gate()).toMatchObject({ sentence: expect.stringContaining('is halted') });

    canary.told = [];
    await canary.isDeployed('app', '2', 2);

    expect(canary.told).toEqual(['acme/infra||dns', 'acme/infra||web']);
    expect(await canary.gate()).toMatchObject({
      sentence: expect.stringContaining('which has soaked'),
    });
    await canary.check();
    expect(await canary.gate()).toEqual({ kind: 'passes' });
  });

  test('is told to go on once for each halt, whether its checks then pass or halt it again', async () => {
    canary.server.always(status(500));
    await canary.deploy();
    await canary.check(3);

    await canary.isDeployed('app', '2', 2);
    await canary.check(3);
    canary.server.always(status(204));
    await canary.isDeployed('app', '3', 3);
    await canary.check(3);

    expect(canary.events.map(({ kind }) => kind)).toEqual(['halted', 'resumed', 'halted', 'resumed']);
    expect(new Set(canary.events.map(({ id }) => id)).size).toBe(4);
    expect(canary.events.at(-1)).toMatchObject({
      ...{ repository: { owner, name }, rollout: ID, revision: SHA },
      sentence: 'wave 1 of 2 (canary): app was deployed again',
    });
  });

  test('goes once any root of the wave was re-run and checked', async () => {
    canary.server.meet(status(500), status(500));
    await canary.deploy({ most: 2 });
    await canary.check(2);

    await canary.isDeployed('dns', 'again');
    await canary.check();

    expect(await canary.gate()).toEqual({ kind: 'passes' });
  });

  test('is not resumed by an older commit', async () => {
    canary.server.always(status(500));
    await canary.deploy();
    await canary.check(2);

    await canary.isDeployed('app', 'manual', 0);

    expect(await canary.gate()).toMatchObject({ sentence: expect.stringContaining('is halted') });
  });

  test('is not resumed by an earlier deployment whose record was held back on its way through Temporal', async () => {
    canary.server.meet(status(500), status(500));
    await canary.deploy();
    const earlier = deploymentOf('app', 'succeeded', 'earlier');
    await canary.isApplied(earlier);
    await sleep(1); // The clock has milliseconds.
    await canary.check(2);

    await canary.isStored(earlier);
    await canary.check();

    expect(canary.asked()).toBe(2);
    expect(await canary.gate()).toMatchObject({ sentence: expect.stringContaining('is halted') });
  });

  test('goes by a check that ran after the soak, and by none before, however short the soak is', async () => {
    canary.checks = [canary.aCheck({ everyMs: HOUR })];
    const start = Date.now();
    await canary.deploy({ soakMs: 60_000 });

    await canary.check();
    expect(await canary.gate(120_000)).toMatchObject({
      kind: 'waits',
      sentence: expect.stringContaining('says how its checks stand'),
    });
    await canary.check();
    expect(canary.asked()).toBe(1);

    setClock(start + 10 * 60_000);
    expect(await canary.gate()).toMatchObject({ sentence: expect.stringContaining('which has soaked') });
    await canary.check();

    expect(canary.asked()).toBe(2);
    expect(await canary.gate()).toEqual({ kind: 'passes' });
  });

  test('goes after somebody skipped the canary, whose checks are asked no more', async () => {
    canary.server.always(status(500));
    await canary.deploy();
    const skipped = await testSignatures.enclose('decision/skip-soak', {
      ...{ version: 1, requestId: 'r1', repository: { owner, name }, rollout: ID, wave: 1 },
      ...{ reason: 'the check is wrong', by: 'ada', at: new Date().toISOString() },
    });
    await canary.context.rolloutRecords.skip(REPOSITORY, skipped);

    await canary.check();

    expect(canary.asked()).toBe(0);
    expect(await canary.gate()).toEqual({ kind: 'passes' });
  });
});

test('a wave that somebody skipped is told as well, once the checks before it have passed', async () => {
  await canary.deploy({ waves: 2 });
  const skipped = {
    ...{ requestId: 'r1', repository: { owner, name }, rollout: ID, wave: 2, reason: 'hurry' },
    by: 'ada',
  };
  const at = new Date().toISOString();
  const signed = await testSignatures.enclose('decision/skip-soak', { version: 1, ...skipped, at });
  await canary.context.rolloutRecords.skip(REPOSITORY, signed);
  canary.told = [];

  await canary.check();

  expect(canary.told).toEqual(['acme/infra||dns', 'acme/infra||web']);
});

test('the end of a deployment reads little of earlier merges that no check has halted', async () => {
  await canary.deploy();
  await canary.check();
  const ofRevision = jest.spyOn(canary.context.rolloutRecords, 'ofRevision');

  await canary.isDeployed('app', '2', 2);

  expect(ofRevision).not.toHaveBeenCalled();
});

describe('what came of checks', () => {
  test('counts only as control signed it', async () => {
    await canary.deploy();
    const at = new Date().toISOString();
    const made = { version: 1, repository: { owner, name }, rollout: ID, wave: 1, since: at, at, results: [] } as const;
    const body = { ...made, state: 'passed' } as const;
    await canary.context.waveCheckRecords.write(await strangers.enclose('decision/wave-checks', body), undefined);
    expect(await canary.gate()).toMatchObject({ kind: 'waits' });

    await canary.check();

    expect(canary.asked()).toBe(1);
    expect(await canary.gate()).toEqual({ kind: 'passes' });
  });

  test('of another wave, signed, counts for nothing', async () => {
    await canary.deploy();
    const at = new Date().toISOString();
    const made = { version: 1, repository: { owner, name }, rollout: ID, wave: 2, since: at, at, results: [] } as const;
    const other = await testSignatures.enclose('decision/wave-checks', { ...made, state: 'passed' });
    const moved = { ...canary.context.waveCheckRecords, read: async () => ({ checks: other, version: 'v' }) };

    const facts = await soakFacts(
      { ...canary.context, waveCheckRecords: moved },
      REPOSITORY,
      deploymentOf('web', 'queued'),
    );

    expect(askGate('soak', facts, Date.now())).toMatchObject({ kind: 'waits' });
  });

  test('is counted once where two workers ask at once', async () => {
    canary.server.always(status(500));
    await canary.deploy();

    await Promise.all([canary.check(), canary.check()]);

    expect(await canary.stored()).toMatchObject({ state: 'checking', results: [{ failures: 1 }] });
  });

  test('is forgotten of a check that the file has no more, and another one is waited for', async () => {
    canary.server.always(status(500));
    await canary.deploy();
    await canary.check();
    canary.checks = [canary.aCheck({ name: 'health', target: { kind: 'http', url: canary.server.url, status: 500 } })];
    expect(await canary.gate()).toMatchObject({
      sentence: expect.stringContaining('which has soaked'),
    });

    await canary.check();

    expect(await canary.stored()).toMatchObject({ state: 'passed', results: [{ check: 'health' }] });
  });

  test('is waited for no more once the file has no such check, although the others have passed by then', async () => {
    canary.server.always(status(500));
    const health = canary.aCheck({ name: 'health', target: { kind: 'http', url: canary.server.url, status: 500 } });
    canary.checks = [canary.aCheck(), health];
    await canary.deploy();
    await canary.check();

    canary.checks = [health];
    await canary.check();

    expect(await canary.gate()).toEqual({ kind: 'passes' });
    expect(canary.asked()).toBe(2);
  });

  test('that halted the rollout counts no more once the file has no such check, and the others go on', async () => {
    canary.server.always(status(500));
    const health = canary.aCheck({ name: 'health', target: { kind: 'http', url: canary.server.url, status: 500 } });
    canary.checks = [canary.aCheck(), health];
    await canary.deploy();
    await canary.check(2);
    expect(await canary.gate()).toMatchObject({ sentence: expect.stringContaining('its check page failed 2 times') });

    canary.checks = [health];

    expect(await canary.gate()).toMatchObject({ sentence: expect.not.stringContaining('is halted') });
    await canary.check();
    expect(await canary.gate()).toEqual({ kind: 'passes' });
    expect(canary.events.map(({ kind }) => kind)).toEqual(['halted', 'resumed']);
    expect(canary.events.at(-1)).toMatchObject({
      sentence: "wave 1 of 2 (canary): the server's file no longer has the check page",
    });
  });

  test('is needed no more once the file has no checks of the wave', async () => {
    await canary.deploy();
    canary.checks = [];

    expect(await canary.gate()).toEqual({ kind: 'passes' });
  });
});
