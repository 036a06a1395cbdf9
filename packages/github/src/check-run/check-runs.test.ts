import { afterEach, describe, expect, test } from '@jest/globals';
import type { CheckRunContent } from '@nereid/forge';
import { aCheckRun, closeAll, CONTENT, json, REPOSITORY, startGitHub, status } from '../fixtures/fake-github.ts';

afterEach(closeAll);

describe('a check run', () => {
  test('whose creation nobody answered is adopted, not created twice', async () => {
    const created: { id: number; head_sha: string; app: { id: number } }[] = [];
    const { github, requests } = await startGitHub((request) => {
      if (request.method === 'POST') {
        created.push({ ...aCheckRun(5), ...json(request) });
        return status(502);
      }
      if (request.method === 'GET') return status(200, { total_count: created.length, check_runs: created });
      return status(200, aCheckRun(5));
    });

    expect(await github.status.create(REPOSITORY, CONTENT)).toEqual({ id: 5, completed: false });
    expect(created).toHaveLength(1);
    expect(requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  });

  test('that the lane knows, or that is another App’s, is not adopted', async () => {
    const { github } = await startGitHub((request) =>
      request.method === 'GET'
        ? status(200, { total_count: 2, check_runs: [aCheckRun(5), { ...aCheckRun(6), app: { id: 8 } }] })
        : status(201, aCheckRun(9)),
    );

    const checkRun = await github.status.create(REPOSITORY, CONTENT, { known: [5], creationUncertain: true });

    expect(checkRun.id).toBe(9);
  });

  test('that was completed is not reopened: work that goes on has a new one', async () => {
    const { github, requests } = await startGitHub(() => status(201, aCheckRun(6)));

    await github.status.present(REPOSITORY, [{ id: 5, completed: true }], CONTENT);

    expect(requests.at(-1)?.method).toBe('POST');
  });

  test('that was completed says that a newer one goes on, once there is one', async () => {
    const { github, requests } = await startGitHub(({ method }) =>
      method === 'POST' ? status(201, aCheckRun(6)) : status(200, aCheckRun(5)),
    );
    const superseded: CheckRunContent = { ...CONTENT, status: 'completed', title: 'Went on' };

    const refs = await github.status.present(REPOSITORY, [{ id: 5, completed: true }], CONTENT, { superseded });

    expect(refs).toEqual([
      { id: 5, completed: true, superseded: true },
      { id: 6, completed: false },
    ]);
    expect(requests.slice(-2).map(({ method }) => method)).toEqual(['POST', 'PATCH']);
    expect(json(requests.at(-1))).toMatchObject({ status: 'completed', output: { title: 'Went on' }, actions: [] });
  });

  test('that was completed and is gone keeps nobody from the newer one', async () => {
    const { github } = await startGitHub(({ method }) =>
      method === 'POST' ? status(201, aCheckRun(6)) : status(404, { message: 'Not Found' }),
    );

    const refs = await github.status.present(REPOSITORY, [{ id: 5, completed: true }], CONTENT, {
      superseded: CONTENT,
    });

    expect(refs.map(({ id }) => id)).toEqual([5, 6]);
  });

  test('that could not be written as superseded is written with the next presentation', async () => {
    let isDown = true;
    const { github, requests } = await startGitHub(({ method, url }) => {
      if (method === 'POST') return status(201, aCheckRun(6));
      return url.endsWith('/5') && isDown ? status(502) : status(200, aCheckRun(6));
    });
    const superseded = CONTENT;
    const first = await github.status.present(REPOSITORY, [{ id: 5, completed: true }], CONTENT, { superseded });
    isDown = false;
    requests.length = 0;

    const second = await github.status.present(REPOSITORY, first, CONTENT, { superseded });

    expect(first).toEqual([
      { id: 5, completed: true },
      { id: 6, completed: false },
    ]);
    expect(second[0]).toEqual({ id: 5, completed: true, superseded: true });
    expect(requests.map(({ method, url }) => `${method} ${url.slice(-2)}`)).toEqual(['PATCH /6', 'PATCH /5']);
  });

  test('that was created without anybody hearing of it is the one that ends', async () => {
    const { github, requests } = await startGitHub(({ method }) =>
      method === 'GET'
        ? status(200, { total_count: 2, check_runs: [aCheckRun(6), aCheckRun(5)] })
        : status(200, { ...aCheckRun(6), status: 'completed' }),
    );
    const content: CheckRunContent = { ...CONTENT, status: 'completed', conclusion: 'success' };

    const refs = await github.status.present(REPOSITORY, [{ id: 5, completed: true }], content, {
      creationUncertain: true,
    });

    expect(refs.map(({ id }) => id)).toEqual([5, 6]);
    expect(requests.at(-1)).toMatchObject({ method: 'PATCH', url: '/api/v3/repos/acme/infra/check-runs/6' });
  });

  test('that was created twice without anybody hearing of it is the newest; the other says that it goes on', async () => {
    const { github, requests } = await startGitHub(({ method, url }) =>
      method === 'GET'
        ? status(200, { total_count: 2, check_runs: [aCheckRun(6), aCheckRun(5)] })
        : status(200, aCheckRun(Number(url.slice(-1)))),
    );

    const refs = await github.status.present(REPOSITORY, [], CONTENT, {
      creationUncertain: true,
      superseded: CONTENT,
    });

    expect(refs).toEqual([
      { id: 5, completed: false, superseded: true },
      { id: 6, completed: false },
    ]);
    expect(requests.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'PATCH']);
  });

  test('that is presented is created with one attempt: the next one looks first', async () => {
    const { github, requests } = await startGitHub(() => status(502));

    await expect(github.status.present(REPOSITORY, [], CONTENT)).rejects.toMatchObject({ status: 502 });

    expect(requests.map(({ method }) => method)).toEqual(['POST']);
  });

  test('that is presented is changed in spite of a fault that passes', async () => {
    const answers = [status(502), status(503)];
    const { github, requests } = await startGitHub(() => answers.shift() ?? status(200, aCheckRun(5)));

    await github.status.present(REPOSITORY, [{ id: 5, completed: false }], CONTENT);

    expect(requests.map(({ method }) => method)).toEqual(['PATCH', 'PATCH', 'PATCH']);
  });

  test('that goes on is updated', async () => {
    const { github, requests } = await startGitHub(() => status(200, aCheckRun(5)));

    await github.status.present(REPOSITORY, [{ id: 5, completed: false }], CONTENT);

    expect(requests.at(-1)).toMatchObject({ method: 'PATCH', url: '/api/v3/repos/acme/infra/check-runs/5' });
  });

  test('is never sent a conclusion while it is not completed', async () => {
    const { github, requests } = await startGitHub(() => status(201, aCheckRun(5)));

    await github.status.create(REPOSITORY, CONTENT);

    expect(json(requests.at(-1))).toEqual({
      name: CONTENT.name,
      head_sha: CONTENT.headSha,
      external_id: CONTENT.externalId,
      details_url: CONTENT.detailsUrl,
      status: 'queued',
      output: { title: CONTENT.title, summary: CONTENT.summary },
      actions: [],
    });
  });

  test('of a revision is listed to its last page', async () => {
    const { github } = await startGitHub(({ url }) => {
      const count = url.endsWith('&page=1') ? 100 : 3;
      return status(200, { check_runs: Array.from({ length: count }, (_, index) => aCheckRun(index)) });
    });

    expect(await github.status.ofRevision(REPOSITORY, CONTENT.headSha)).toHaveLength(103);
  });
});
