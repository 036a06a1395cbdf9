import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { aGitHub, REPOSITORY, type AGitHub } from '../fixtures/a-github.ts';
import { at } from '../fixtures/at.ts';

let world: AGitHub;

beforeEach(async () => {
  world = await aGitHub();
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

const commit = (message: string) =>
  world.github.commit({ repository: REPOSITORY, branch: 'main', files: { [message]: '' }, message, author: 'wim' });

const ask = async () => (await world.api('GET', `/repos/${REPOSITORY}`)).status;

describe('the API', () => {
  test('fails as often as it is told to', async () => {
    await ask();
    world.github.faults.add({ kind: 'failure', status: 502, times: 2 });

    const statuses = [await ask(), await ask(), await ask()];

    expect(statuses).toEqual([502, 502, 200]);
  });

  test('fails as many of ten requests as it is told, each time others', async () => {
    await ask();
    world.github.faults.add({ kind: 'failure', status: 502, ofTen: 3 });
    const failing = async () => {
      const places: number[] = [];
      for (let index = 0; index < 10; index += 1) if ((await ask()) === 502) places.push(index);
      return places;
    };

    const [first, second] = [await failing(), await failing()];

    expect([first.length, second.length]).toEqual([3, 3]);
    expect(first).not.toEqual(second);
  });

  test('fails only on the routes that it is told', async () => {
    world.github.faults.add({ kind: 'failure', status: 500, route: /check-runs$/ });

    const elsewhere = await ask();
    const there = await world.api('GET', `/repos/${REPOSITORY}/commits/main/check-runs`);

    expect([elsewhere, there.status]).toEqual([200, 500]);
  });

  test('tells how long to wait after too many requests', async () => {
    await ask();
    world.github.faults.add({ kind: 'secondary rate limit', retryAfterS: 7, times: 1 });

    const { status, headers, body } = await world.api('GET', `/repos/${REPOSITORY}`);

    expect([status, headers.get('retry-after')]).toEqual([403, '7']);
    expect(at(body, 'message')).toMatch(/secondary rate limit/);
  });

  test('can limit with another status, and without a word about how long', async () => {
    await ask();
    world.github.faults.add({ kind: 'secondary rate limit', status: 429, times: 1 });

    const { status, headers } = await world.api('GET', `/repos/${REPOSITORY}`);

    expect([status, headers.get('retry-after')]).toEqual([429, null]);
  });

  test('refuses one check run of many', async () => {
    world.github.faults.add({ kind: 'refusal', status: 422, body: /"external_id":"one"/ });
    const head_sha = await world.github.headOf(REPOSITORY);
    const create = (external_id: string) =>
      world.api('POST', `/repos/${REPOSITORY}/check-runs`, { name: 'nereid/deploy: network', head_sha, external_id });

    const [one, other] = [await create('one'), await create('other')];

    expect([one.status, other.status]).toEqual([422, 201]);
  });

  test('carries out what nobody hears the answer of', async () => {
    await ask();
    world.github.faults.add({ kind: 'lost answer', route: /^POST .*check-runs/, times: 1 });
    const check = { name: 'nereid/deploy: network', head_sha: await world.github.headOf(REPOSITORY) };

    const lost = world.api('POST', `/repos/${REPOSITORY}/check-runs`, check);

    await expect(lost).rejects.toThrow('fetch failed');
    expect(world.github.checkRuns(REPOSITORY)).toHaveLength(1);
  });

  test('counts how many requests are under way together', async () => {
    await ask();
    world.github.resetTraffic();
    world.github.faults.add({ kind: 'slow', ms: 600_000, times: 3 });
    // They are cut off when the test is over.
    void Promise.allSettled([ask(), ask(), ask()]);

    while (world.github.mostRequestsAtOnce() < 3) await pause(10);
    expect(world.github.mostRequestsAtOnce()).toBe(3);
  });

  test('answers slowly and then as always', async () => {
    world.github.faults.add({ kind: 'slow', ms: 50 });

    expect(await ask()).toBe(200);
  });

  test('is well again when the fault is switched off', async () => {
    const heal = world.github.faults.add({ kind: 'failure', status: 503, route: /infra$/ });
    const sick = await ask();

    heal();

    expect([sick, await ask()]).toEqual([503, 200]);
  });
});

describe('a webhook', () => {
  test('can be lost, without a trace', async () => {
    world.github.faults.add({ kind: 'lost webhook', event: 'push', times: 1 });

    await commit('lost');
    const after = await commit('found');

    await world.github.settled();
    expect(world.receiver.received('push').map(({ payload }) => at(payload, 'after'))).toEqual([after]);
  });

  test('can come twice, with the same GUID', async () => {
    world.github.faults.add({ kind: 'duplicate webhook', event: 'push', times: 1 });

    await commit('twice');

    await world.github.settled();
    const guids = world.receiver.received('push').map(({ headers }) => headers['x-github-delivery']);
    expect(guids).toHaveLength(2);
    expect(guids[0]).toBe(guids[1]);
  });

  test('can come after the one that was sent after it', async () => {
    world.github.faults.add({ kind: 'webhooks out of order', event: 'push', count: 2 });

    const first = await commit('first');
    const second = await commit('second');

    await world.github.settled();
    const sent = world.github.deliveries().filter(({ event }) => event === 'push');
    const order = sent.map(({ payload }) => at(JSON.parse(payload), 'after'));
    expect(order.toSorted()).toEqual([first, second].toSorted());
    expect(Number(sent.find((_, index) => order[index] === second)?.id)).toBeLessThan(
      Number(sent.find((_, index) => order[index] === first)?.id),
    );
  });
});
