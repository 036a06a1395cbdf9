import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aGitHub, REPOSITORY, type AGitHub } from '../fixtures/a-github.ts';
import { at } from '../fixtures/at.ts';

const RUNS = `/repos/${REPOSITORY}/check-runs`;
const BUTTON = { label: 'Confirm', identifier: 'confirm.0123456789ab', description: 'Apply this plan' };

let world: AGitHub;
let sha: string;

beforeAll(async () => {
  world = await aGitHub();
  sha = await world.github.headOf(REPOSITORY);
});

beforeEach(() => {
  world.github.resetTraffic();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

describe('a check run', () => {
  test('begins queued, is updated, and ends with a conclusion', async () => {
    const { body: begun } = await world.api('POST', RUNS, { name: 'life', head_sha: sha });
    const path = `${RUNS}/${String(at(begun, 'id'))}`;
    const { body: started } = await world.api('PATCH', path, { status: 'in_progress' });
    const { body: ended } = await world.api('PATCH', path, { conclusion: 'success' });

    expect([begun, started, ended].map((run) => [at(run, 'status'), at(run, 'conclusion')])).toEqual([
      ['queued', null],
      ['in_progress', null],
      ['completed', 'success'],
    ]);
  });

  test('that is completed stays so, whatever it is updated to', async () => {
    const { body } = await world.api('POST', RUNS, { name: 'done', head_sha: sha, conclusion: 'failure' });

    const reopened = await world.api('PATCH', `${RUNS}/${String(at(body, 'id'))}`, { status: 'in_progress' });

    expect(reopened.body).toMatchObject({ status: 'completed', conclusion: 'failure' });
  });

  test('is hidden behind the newest of its name, unless all are asked for', async () => {
    await world.api('POST', RUNS, { name: 'twice', head_sha: sha });
    const { body } = await world.api('POST', RUNS, { name: 'twice', head_sha: sha });
    const path = `/repos/${REPOSITORY}/commits/${sha}/check-runs?check_name=twice`;

    const latest = await world.api('GET', path);
    const all = await world.api('GET', `${path}&filter=all`);

    expect(latest.body).toMatchObject({ total_count: 1, check_runs: [{ id: at(body, 'id') }] });
    expect(all.body).toMatchObject({ total_count: 2 });
  });

  test('lists page by page', async () => {
    const path = `/repos/${REPOSITORY}/commits/main/check-runs?filter=all&per_page=1`;

    const { headers } = await world.api('GET', path);

    expect(headers.get('link')).toMatch(/page=2>; rel="next"/);
  });
});

describe('GitHub refuses', () => {
  test.each([
    ['a completed check run without a conclusion', { status: 'completed' }],
    ['more than three buttons', { actions: [BUTTON, BUTTON, BUTTON, BUTTON] }],
    ['a label of more than 20 characters', { actions: [{ ...BUTTON, label: 'x'.repeat(21) }] }],
    ['an identifier of more than 20 characters', { actions: [{ ...BUTTON, identifier: 'x'.repeat(21) }] }],
    ['a description of more than 40 characters', { actions: [{ ...BUTTON, description: 'x'.repeat(41) }] }],
    ['a summary of more than 65,535 characters', { output: { title: 't', summary: 'x'.repeat(65_536) } }],
    ['a summary of more than 65,535 bytes', { output: { title: 't', summary: 'ü'.repeat(40_000) } }],
    ['an output without a title', { output: { summary: 's' } }],
    ['an unknown conclusion', { conclusion: 'splendid' }],
    ['a conclusion that only GitHub sets', { conclusion: 'stale' }],
    ['details that are no web address', { details_url: 'javascript:alert(1)' }],
    ['a field that does not exist', { owner: 'acme' }],
  ])('a check run with %s is refused', async (_, fields) => {
    const { status } = await world.api('POST', RUNS, { name: 'refused', head_sha: sha, ...fields });

    expect(status).toBe(422);
    expect(world.github.refusedRequests()).toHaveLength(1);
    expect(() => {
      world.github.assertNoRefusedRequests();
    }).toThrow(/refused 1 requests/);
  });

  test('a check run on a commit that does not exist', async () => {
    const { status } = await world.api('POST', RUNS, { name: 'nowhere', head_sha: 'f'.repeat(40) });

    expect(status).toBe(422);
  });

  test('what is no JSON', async () => {
    const token = await world.installationToken();
    const headers = { authorization: `Bearer ${token}` };

    const { status } = await fetch(world.github.apiUrl + RUNS, { method: 'POST', headers, body: '{' });

    expect(status).toBe(400);
  });

  test('a route that is not in the stand-in, which is recorded as such', async () => {
    const { status } = await world.api('GET', `/repos/${REPOSITORY}/stargazers`);

    expect(status).toBe(404);
    expect(world.github.refusedRequests()).toMatchObject([{ kind: 'not in stand-in', method: 'GET' }]);
  });
});

describe('a button', () => {
  test('that is pressed tells the App which, where and by whom', async () => {
    const fields = {
      name: 'gate',
      head_sha: sha,
      external_id: 'd-1',
      conclusion: 'action_required',
      actions: [BUTTON],
    };
    const { body } = await world.api('POST', RUNS, fields);

    world.github.pressButton(Number(at(body, 'id')), BUTTON.identifier, 'wim');

    await world.github.settled();
    expect(world.receiver.received('check_run.requested_action').at(-1)?.payload).toMatchObject({
      requested_action: { identifier: BUTTON.identifier },
      check_run: { id: at(body, 'id'), external_id: 'd-1', head_sha: sha, app: { id: 4711 } },
      sender: { login: 'wim' },
      repository: { full_name: REPOSITORY },
      installation: { id: expect.any(Number) },
    });
  });

  test('is not there while the check run is not completed', async () => {
    const { body } = await world.api('POST', RUNS, { name: 'early', head_sha: sha, actions: [BUTTON] });

    expect(() => {
      world.github.pressButton(Number(at(body, 'id')), BUTTON.identifier, 'wim');
    }).toThrow(/shows no button/);
  });
});

describe('re-running', () => {
  test('one check run leaves it as it is and queues its suite', async () => {
    const { body } = await world.api('POST', RUNS, { name: 'again', head_sha: sha, conclusion: 'failure' });

    world.github.rerequestCheckRun(Number(at(body, 'id')), 'wim');

    await world.github.settled();
    expect(world.receiver.received('check_run.rerequested').at(-1)?.payload).toMatchObject({
      check_run: { id: at(body, 'id'), conclusion: 'failure', check_suite: { status: 'queued', conclusion: null } },
    });
  });

  test('all tells the App of the suite', async () => {
    const [suite] = world.github.checkSuites(REPOSITORY);

    await world.github.rerequestCheckSuite(suite?.id ?? 0, 'wim');

    await world.github.settled();
    expect(world.receiver.received('check_suite.rerequested').at(-1)?.payload).toMatchObject({
      check_suite: { id: suite?.id, head_sha: sha, app: { id: 4711 } },
    });
  });
});
