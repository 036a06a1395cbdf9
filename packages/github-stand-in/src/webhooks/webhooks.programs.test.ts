import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { aGitHub, REPOSITORY, SECRET, type AGitHub } from '../fixtures/a-github.ts';
import { at } from '../fixtures/at.ts';

const require = createRequire(import.meta.url);

let world: AGitHub;

beforeEach(async () => {
  world = await aGitHub();
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

const commit = (message: string, branch = 'main') =>
  world.github.commit({ repository: REPOSITORY, branch, files: { [message]: message }, message, author: 'wim' });

describe('a webhook', () => {
  test('is signed over exactly the bytes that arrive', async () => {
    await commit('signed');

    await world.github.settled();
    const [push] = world.receiver.received('push');
    const expected = `sha256=${createHmac('sha256', SECRET)
      .update(push?.raw ?? '')
      .digest('hex')}`;
    expect(push?.headers['x-hub-signature-256']).toBe(expected);
  });

  test('has the headers that GitHub sends', async () => {
    await commit('headers');

    await world.github.settled();
    const [push] = world.receiver.received('push');
    expect(push?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^GitHub-Hookshot\//),
      'x-github-event': 'push',
      'x-github-hook-id': '1',
      'x-github-delivery': expect.stringMatching(/^[\da-f-]{36}$/),
    });
  });

  test('that is refused is recorded with the answer, and not sent again by itself', async () => {
    world.receiver.answerWith(503);

    await commit('refused');

    await world.github.settled();
    const pushes = world.github.deliveries().filter(({ event }) => event === 'push');
    expect(pushes).toMatchObject([{ statusCode: 503, status: 'Invalid HTTP Response: 503', responseBody: 'taken' }]);
  });

  test('to nobody is recorded as failed', async () => {
    await world.receiver.close();

    await commit('nobody there');

    await world.github.settled();
    expect(world.github.deliveries()[0]).toMatchObject({ statusCode: 502, status: 'failed to connect to host' });
  });

  test('that is sent again has the same GUID and the same payload', async () => {
    await commit('again');
    await world.github.settled();
    const [first] = world.github.deliveries().filter(({ event }) => event === 'push');

    const second = await world.github.redeliver(first?.id ?? 0);

    expect(second).toMatchObject({ guid: first?.guid, payload: first?.payload, redelivery: true, statusCode: 202 });
    expect(world.receiver.received('push')).toHaveLength(2);
  });

  test('can be sent again through the API, found among the failed ones', async () => {
    world.receiver.answerWith(500);
    await commit('failed');
    await world.github.settled();
    world.receiver.answerWith(202);
    const token = await world.appJwt();

    const { body } = await world.api('GET', '/app/hook/deliveries?status=failure', undefined, { token });
    const path = `/app/hook/deliveries/${String(at(body, 0, 'id'))}/attempts`;
    const { status } = await world.api('POST', path, undefined, { token });

    await world.github.settled();
    expect(status).toBe(202);
    expect(world.github.deliveries().at(-1)).toMatchObject({ guid: at(body, 0, 'guid'), statusCode: 202 });
  });
});

describe('a push webhook', () => {
  test('of a new branch says so', async () => {
    await commit('new', 'feature');

    await world.github.settled();
    expect(world.receiver.received('push')[0]?.payload).toMatchObject({
      ref: 'refs/heads/feature',
      before: '0'.repeat(40),
      created: true,
      commits: [{ message: 'new' }],
    });
  });

  test('of a forced push says so', async () => {
    const { github, receiver } = world;
    const first = await github.headOf(REPOSITORY);
    await commit('one');
    const left = await commit('two');

    await github.forcePush({ repository: REPOSITORY, branch: 'main', to: first, by: 'wim' });

    await github.settled();
    expect(receiver.received('push').at(-1)?.payload).toMatchObject({ before: left, after: first, forced: true });
  });
});

describe('a webhook has every field that the published example has:', () => {
  // The published file is a list of events with their examples.
  const examples = require('@octokit/webhooks-examples') as unknown;
  const exampleOf = (event: string): unknown => {
    const index = Array.isArray(examples) ? examples.findIndex((each) => at(each, 'name') === event) : -1;
    return at(examples, index, 'examples', 0);
  };
  const keysOf = (value: unknown, field: string): string[] => Object.keys(at(value, field) ?? {});

  test.each([
    ['push', 'repository'],
    ['push', 'head_commit'],
    ['check_run', 'check_run'],
    ['check_suite', 'check_suite'],
    ['issue_comment', 'issue'],
    ['issue_comment', 'comment'],
    ['pull_request', 'pull_request'],
    ['pull_request_review', 'review'],
  ])('a webhook %s has every published field of its %s', async (event, field) => {
    await playEverything();

    const payload = world.receiver.received().find(({ headers }) => headers['x-github-event'] === event)?.payload;
    const missing = keysOf(exampleOf(event), field).filter((key) => !keysOf(payload, field).includes(key));
    // A check run has a deployment only when it is a job of GitHub Actions.
    expect(missing.filter((key) => key !== 'deployment')).toEqual([]);
  });

  async function playEverything(): Promise<void> {
    const { github } = world;
    await commit('everything', 'feature');
    const { number } = await github.openPullRequest({
      repository: REPOSITORY,
      title: 'Everything',
      head: 'feature',
      author: 'wim',
    });
    await github.approve({ repository: REPOSITORY, number }, 'max');
    github.comment({ repository: REPOSITORY, number }, 'wim', 'hello');
    const head_sha = await github.headOf(REPOSITORY);
    await world.api('POST', `/repos/${REPOSITORY}/check-runs`, { name: 'c', head_sha });
    await github.settled();
  }
});
