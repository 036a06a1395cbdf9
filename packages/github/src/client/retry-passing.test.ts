import { afterEach, describe, expect, test } from '@jest/globals';
import {
  aCheckRun,
  closeAll,
  CONTENT,
  isCompare,
  REPOSITORY,
  startGitHub,
  status,
  type Answer,
} from '../fixtures/fake-github.ts';
import { GitHubUnavailableError } from '../errors.ts';

afterEach(closeAll);

const AHEAD = status(200, { status: 'ahead' });

/** The first answers, then this one for ever. */
const startWith = (first: readonly Answer[], then: Answer) => {
  const left = [...first];
  return startGitHub(() => left.shift() ?? then);
};

describe('a question', () => {
  test.each<[string, Answer]>([
    ['500', status(500)],
    ['502, from a proxy', status(502, '<html>')],
    ['half of an answer', 'broken'],
  ])('that GitHub answers with %s five times is asked a sixth time', async (_what, answer) => {
    const { github, requests } = await startWith([answer, answer, answer, answer, answer], AHEAD);

    expect(await github.commits.compare(REPOSITORY, 'a', 'b')).toBe('ahead');
    expect(requests.filter(isCompare)).toHaveLength(6);
  });

  test('that GitHub does not answer is asked again', async () => {
    const left: Answer[] = ['silence', 'silence'];
    const { github } = await startGitHub(() => left.shift() ?? AHEAD, { timeoutMs: 500 });

    expect(await github.commits.compare(REPOSITORY, 'a', 'b')).toBe('ahead');
  });

  test('is given up after a sixth failure', async () => {
    const { github, requests } = await startGitHub(() => status(502));

    await expect(github.commits.compare(REPOSITORY, 'a', 'b')).rejects.toBeInstanceOf(GitHubUnavailableError);
    expect(requests.filter(isCompare)).toHaveLength(6);
  });

  test('is given up when the time for retries is over', async () => {
    const { github, requests } = await startGitHub(() => status(502), { retryForMs: 0 });

    await expect(github.commits.compare(REPOSITORY, 'a', 'b')).rejects.toMatchObject({ status: 502 });
    expect(requests.filter(isCompare)).toHaveLength(1);
  });

  test('is left to its caller when GitHub says how long it wants to be left alone', async () => {
    const { github, requests } = await startGitHub(() => status(503, {}, { 'retry-after': '30' }));

    await expect(github.commits.compare(REPOSITORY, 'a', 'b')).rejects.toMatchObject({ retryAfterMs: 30_000 });
    expect(requests.filter(isCompare)).toHaveLength(1);
  });

  test.each([400, 403, 404, 405, 409, 422])('that GitHub refuses with %d is asked once', async (refusal) => {
    const { github, requests } = await startGitHub(() => status(refusal, { message: 'No' }));

    await github.commits.compare(REPOSITORY, 'a', 'b').catch(() => undefined);

    expect(requests.filter(isCompare)).toHaveLength(1);
  });
});

describe('a GitHub that fails three requests of ten', () => {
  test('answers every question, and takes every change', async () => {
    let asked = 0;
    const { github, requests } = await startGitHub(({ method }) => {
      asked += 1;
      if ((asked * 7 + Math.floor(asked / 10) * 3) % 10 < 3) return asked % 2 === 0 ? 'broken' : status(502);
      return method === 'PATCH' ? status(200, aCheckRun(5)) : status(200, { permission: 'write', status: 'ahead' });
    });

    for (let push = 0; push < 30; push += 1) {
      expect(await github.commits.compare(REPOSITORY, `a${push}`, 'b')).toBe('ahead');
      expect(await github.people.permissionOf(REPOSITORY, `bob${push}`)).toBe('write');
      await github.status.update(REPOSITORY, 5, CONTENT);
    }

    expect(requests.length).toBeGreaterThan(100);
  });

  test('has each check run once, whether it failed before or after it made it', async () => {
    const made: ReturnType<typeof aCheckRun>[] = [];
    let asked = 0;
    const { github } = await startGitHub(({ method }) => {
      asked += 1;
      const place = (asked * 7 + Math.floor(asked / 10) * 3) % 10;
      if (place === 0) return status(502);
      if (method === 'POST') made.push({ ...aCheckRun(made.length + 1) });
      if (place < 3) return status(502);
      if (method === 'GET') return status(200, { total_count: made.length, check_runs: made });
      return status(200, aCheckRun(made.length));
    });

    const wanted = 20;
    const known: number[] = [];
    for (let index = 0; index < wanted; index += 1)
      known.push((await github.status.create(REPOSITORY, CONTENT, { known })).id);

    expect(made).toHaveLength(wanted);
    expect(new Set(known).size).toBe(wanted);
  });
});

test('a reaction, which is the same when it is made twice, is made again; a comment is not', async () => {
  const { github, requests } = await startWith([status(502)], status(201, { id: 1 }));

  await github.comments.react(REPOSITORY, 1, 'eyes');
  const reactions = requests.length;
  await github.comments.create(REPOSITORY, 1, { body: 'Queued.', key: 'k' });

  expect([reactions, requests.length]).toEqual([2, 3]);
});
