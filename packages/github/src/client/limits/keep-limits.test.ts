import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { CheckRunRef } from '@nereid/domain/deployment';
import {
  aCheckRun,
  closeAll,
  CONTENT,
  REPOSITORY,
  startGitHub,
  status,
  type Answer,
  type Received,
} from '../../fixtures/fake-github.ts';
import { GitHubUnavailableError } from '../../errors.ts';
import type { GitHub } from '../../github.ts';

afterEach(closeAll);

const limited = (seconds?: string) => {
  const headers = seconds === undefined ? {} : { 'retry-after': seconds };
  return status(403, { message: 'You have exceeded a secondary rate limit.' }, headers);
};

const isWrite = ({ method }: Received) => method === 'POST';

/** A GitHub that answers writes like this, and knows everybody. */
const writesAre = (answer: () => Answer) =>
  startGitHub((request) => (isWrite(request) ? answer() : status(200, { permission: 'write' })));

/** Of another deployment each time. */
const present = (github: GitHub, signal?: AbortSignal, begin?: AbortSignal): Promise<readonly CheckRunRef[]> => {
  const content = { ...CONTENT, externalId: randomUUID() };
  return github.status.present(REPOSITORY, [], content, { ...(signal && { signal }), ...(begin && { begin }) });
};

const limitsOf = (github: GitHub) =>
  github.limits().find(({ installation }) => installation === String(REPOSITORY.installationId));

/** The second in which the turn is reserved begins later than GitHub asked for, by a second at most. */
const waitOf = (refusal: unknown): number =>
  refusal instanceof GitHubUnavailableError ? (refusal.retryAfterMs ?? 0) : 0;

describe('a check run that GitHub limits', () => {
  test.each([
    ['1', 1_000],
    ['60', 60_000],
    [undefined, 60_000],
  ])('for %s s is not waited for: its caller learns how long', async (seconds, retryAfterMs) => {
    const { github, requests } = await writesAre(() => limited(seconds));

    const waitMs = waitOf(await present(github).catch((error: unknown) => error));

    expect(waitMs).toBeGreaterThanOrEqual(retryAfterMs);
    expect(waitMs).toBeLessThanOrEqual(retryAfterMs + 1_000);
    expect(requests).toHaveLength(1);
  });

  test('for a day, as only a proxy would, is tried again after an hour', async () => {
    const { github } = await writesAre(() => limited('86400'));

    expect(waitOf(await present(github).catch((error: unknown) => error))).toBeLessThanOrEqual(3_601_000);
  });

  test('keeps all others from being sent until then', async () => {
    const { github, requests } = await writesAre(() => limited('60'));
    await present(github).catch(() => undefined);

    const others = await Promise.allSettled(Array.from({ length: 50 }, () => present(github)));

    expect(others.map(({ status: outcome }) => outcome)).not.toContain('fulfilled');
    await expect(present(github)).rejects.toMatchObject({ retryAfterMs: expect.any(Number) });
    expect(requests).toHaveLength(1);
  });

  test('lets one that may not wait go at once, although others wait for so short a time', async () => {
    const { github, requests } = await writesAre(() => limited('10'));
    await present(github).catch(() => undefined);
    const content = { ...CONTENT, externalId: randomUUID() };

    const impatient = github.status.present(REPOSITORY, [], content, { patienceMs: 1_000 });

    expect(waitOf(await impatient.catch((error: unknown) => error))).toBeGreaterThan(1_000);
    expect(requests).toHaveLength(1);
  });

  test('does not keep from asking who may press a button', async () => {
    const { github } = await writesAre(() => limited('60'));
    await present(github).catch(() => undefined);

    expect(await github.people.permissionOf(REPOSITORY, 'bob')).toBe('write');
  });

  test('is kept back after a limit that a question met, too; who asks next is asked for', async () => {
    const permissions = [limited('60'), status(200, { permission: 'write' })];
    const { github, requests } = await startGitHub((request) =>
      isWrite(request) ? status(201, aCheckRun(5)) : permissions.shift(),
    );
    await github.people.permissionOf(REPOSITORY, 'bob').catch(() => undefined);

    await expect(present(github)).rejects.toMatchObject({ retryAfterMs: expect.any(Number) });
    expect(await github.people.permissionOf(REPOSITORY, 'bob')).toBe('write');
    expect(requests.filter(isWrite)).toHaveLength(0);
  });

  test('does not hold up another installation', async () => {
    const { github } = await startGitHub((request) =>
      request.url.includes('/infra/') ? limited('60') : status(201, aCheckRun(5)),
    );
    await present(github).catch(() => undefined);
    const elsewhere = { owner: 'other', name: 'network', installationId: 100 };

    expect(await github.status.present(elsewhere, [], CONTENT)).toHaveLength(1);
  });

  test('for its whole budget keeps everything from being sent, and a press learns that it is not the time', async () => {
    const reset = String(Math.ceil(Date.now() / 1_000) + 600);
    const { github, requests } = await writesAre(() =>
      status(403, { message: 'API rate limit exceeded' }, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }),
    );
    await present(github).catch(() => undefined);

    await expect(github.people.permissionOf(REPOSITORY, 'bob')).rejects.toMatchObject({ code: 'FORGE_UNAVAILABLE' });
    expect(requests).toHaveLength(1);
  });
});

describe('check runs that GitHub does not answer', () => {
  test('leave room for who presses a button', async () => {
    const { github, requests } = await writesAre(() => 'silence');
    const given = new AbortController();
    const hanging = Array.from({ length: 40 }, () => present(github, given.signal, given.signal));

    const permission = await github.people.permissionOf(REPOSITORY, 'bob');
    given.abort();

    expect(permission).toBe('write');
    await Promise.allSettled(hanging);
    expect(requests.filter(isWrite).length).toBeLessThanOrEqual(6);
  });

  test('do not keep other installations from their tokens', async () => {
    const { github } = await writesAre(() => 'silence');
    const given = new AbortController();
    const hanging = Array.from({ length: 40 }, () => present(github, given.signal, given.signal));
    const elsewhere = { owner: 'other', name: 'network', installationId: 100 };

    expect(await github.people.permissionOf(elsewhere, 'bob')).toBe('write');
    given.abort();
    await Promise.allSettled(hanging);
  });

  test('are not begun after their time: who waits is told, and what is under way goes on', async () => {
    const { github, requests } = await writesAre(() => 'silence');
    const begin = new AbortController();
    const given = new AbortController();
    const outcomes: unknown[] = [];
    const hanging = Array.from({ length: 10 }, async () => {
      await present(github, given.signal, begin.signal).catch((error: unknown) => outcomes.push(error));
    });

    await github.people.permissionOf(REPOSITORY, 'bob');
    begin.abort();
    await new Promise(setImmediate);
    const toldAtOnce = outcomes.map((error) => error instanceof GitHubUnavailableError && error.isUnsent);
    given.abort();
    await Promise.all(hanging);

    expect(toldAtOnce).toEqual([true, true, true, true]);
    expect(requests.filter(isWrite).length).toBeLessThanOrEqual(6);
  });
});

test('more check runs than may wait are sent away before GitHub has to say so, each to a turn of its own', async () => {
  const { github, requests } = await writesAre(() => status(201, aCheckRun(5)));

  const all = await Promise.allSettled(Array.from({ length: 200 }, () => present(github)));

  const waits = all.flatMap((one) => (one.status === 'rejected' ? [waitOf(one.reason)] : []));
  expect(requests).toHaveLength(66);
  expect(waits).toHaveLength(134);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
  expect(new Set(waits).size).toBeGreaterThan(100);
});

test('a check run that was sent away is written when it comes back at its turn', async () => {
  const answers = [limited('1'), status(200, { check_runs: [] })];
  const { github, requests } = await startGitHub(() => answers.shift() ?? status(201, aCheckRun(5)));
  const refusal: unknown = await github.status.present(REPOSITORY, [], CONTENT).catch((error: unknown) => error);
  const limits = limitsOf(github);

  await delay(waitOf(refusal));
  const refs = await github.status.present(REPOSITORY, [], CONTENT, { creationUncertain: true });

  expect(limits).toMatchObject({ waiting: 0, reserved: 1 });
  expect(refs).toHaveLength(1);
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST']);
  expect(limitsOf(github)?.reserved).toBe(0);
});

test('the last of the budget keeps background requests from asking for more', async () => {
  const reset = String(Math.ceil(Date.now() / 1_000) + 600);
  const { github, requests } = await writesAre(() =>
    status(201, aCheckRun(5), { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }),
  );
  await present(github);

  await expect(present(github)).rejects.toMatchObject({ retryAfterMs: expect.any(Number) });
  expect(requests).toHaveLength(1);
});

test('what GitHub could not take does not count', async () => {
  const { github } = await writesAre(() => status(502));
  await present(github).catch(() => undefined);

  expect(limitsOf(github)?.pointsLeft).toBe(800);
});
