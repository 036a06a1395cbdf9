import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ProtectedRun, ProtectedRunEvent } from '@nereid/domain/intake';
import { NOW, NOW_MS, REPOSITORY, shaAt } from '@nereid/domain/testing';
import { ForgeRefusedError, ForgeShutOutError, ForgeUnavailableError, type RunAnswer } from '@nereid/forge';
import { answerRun } from './answer-run.ts';
import { notDeployed, type Judgement } from './describe-judgement.ts';

const DAY_MS = 24 * 3_600_000;

let stored: ProtectedRun | undefined;
let said: RunAnswer[];
let refusal: Error | undefined;

beforeEach(() => {
  [stored, said, refusal] = [aRun(), [], undefined];
});

function aRun(): ProtectedRun {
  const event: ProtectedRunEvent = {
    kind: 'protected-run',
    repository: REPOSITORY,
    runId: 7,
    deploymentId: 70,
    askedAt: NOW,
    environment: 'production',
    sha: shaAt(1),
    sender: 'ada',
  };
  return {
    version: 1,
    received: { body: { version: 1, delivery: 'd', receivedAt: NOW, event }, signature: 'of the gateway' },
    reports: 0,
  };
}

const TOOLS = {
  context: {
    protectedRuns: {
      write: (run: ProtectedRun) => Promise.resolve(void (stored = run)),
      remove: () => Promise.resolve(void (stored = undefined)),
    },
    forge: {
      environments: {
        answerRun: (_repository: unknown, answer: RunAnswer) => {
          if (refusal !== undefined) return Promise.reject(refusal);
          said.push(answer);
          return Promise.resolve();
        },
      },
    },
    logger: { info: () => undefined },
  },
  signal: new AbortController().signal,
} as unknown as Parameters<typeof answerRun>[0]; // What it asks for.

const answerWith = (judgement: Judgement, afterMs = 0) =>
  answerRun(TOOLS, stored ?? aRun(), () => Promise.resolve(judgement), NOW_MS + afterMs);

const WAITING: Judgement = { state: 'waiting', comment: 'Waits.', news: 'waiting' };
const APPROVED: Judgement = { state: 'approved', comment: 'Applied.', news: 'approved' };
const REFUSED = new ForgeRefusedError('it does not wait', { status: 422 });

describe('a run that waits', () => {
  test('is told so once, and again when there is news', async () => {
    for (const judgement of [WAITING, WAITING, { ...WAITING, news: 'failed' }]) await answerWith(judgement);

    expect(said).toEqual([
      { runId: 7, environment: 'production', comment: 'Waits.' },
      { runId: 7, environment: 'production', comment: 'Waits.' },
    ]);
    expect(stored).toMatchObject({ said: 'failed', reports: 2 });
  });

  test('is told no more than GitHub takes', async () => {
    for (let news = 0; news < 20; news += 1) await answerWith({ ...WAITING, news: String(news) });

    expect(said.length).toBeLessThan(10);
    expect(stored).toBeDefined();
  });

  test('goes on waiting when GitHub takes no more comments', async () => {
    refusal = REFUSED;
    for (const news of ['1', '2']) await answerWith({ ...WAITING, news });
    refusal = undefined;
    await answerWith(APPROVED);

    expect(said).toEqual([{ runId: 7, environment: 'production', state: 'approved', comment: 'Applied.' }]);
  });

  test('is rejected after 30 days, so that nobody waits for nothing', async () => {
    await answerWith(WAITING, 30 * DAY_MS);
    await answerWith(WAITING, 30 * DAY_MS + 1);

    expect(said.map(({ state }) => state)).toEqual([undefined, 'rejected']);
    expect(stored).toBeUndefined();
  });

  test.each([
    ['has not granted the permission', new ForgeRefusedError('not accessible', { status: 403 })],
    ['has removed the App', new ForgeShutOutError('not installed', { status: 404 })],
  ])('is forgotten after 30 days, also where GitHub %s', async (_what, error) => {
    refusal = error;

    expect(await answerWith(WAITING, 30 * DAY_MS + 1)).toBe('waited too long');
    expect(stored).toBeUndefined();
  });

  test('is kept after 30 days while GitHub is away', async () => {
    refusal = new ForgeUnavailableError('away', { status: 502 });

    await expect(answerWith(WAITING, 30 * DAY_MS + 1)).rejects.toBe(refusal);
    expect(stored).toBeDefined();
  });
});

describe('a run that has its answer', () => {
  test('is forgotten', async () => {
    await answerWith(APPROVED);

    expect(said).toMatchObject([{ state: 'approved', comment: 'Applied.' }]);
    expect(stored).toBeUndefined();
  });

  test.each([404, 410, 422])('is forgotten also if it was cancelled meanwhile, as a %i says', async (status) => {
    refusal = new ForgeRefusedError('it does not wait', { status });
    expect(await answerWith(APPROVED)).toBe('does not wait any more');
    expect(stored).toBeUndefined();
  });

  test.each([
    ['is away', new ForgeUnavailableError('away', { status: 502 })],
    ['has not granted the permission', new ForgeRefusedError('not accessible', { status: 403 })],
  ])('keeps waiting while GitHub %s', async (_what, error) => {
    refusal = error;
    await expect(answerWith(APPROVED)).rejects.toBe(error);
    expect(stored).toBeDefined();
  });
});

test('a commit that is on no branch yet has two minutes to be seen there', async () => {
  const absent = { ...notDeployed(shaAt(1), 'main'), isAbsent: true as const };

  await answerWith(absent, 119_000);
  expect([said, stored]).toEqual([[], aRun()]);
  await answerWith(absent, 120_000);
  expect(said).toMatchObject([{ state: 'rejected', comment: expect.stringContaining('is not on `main`') }]);
});
