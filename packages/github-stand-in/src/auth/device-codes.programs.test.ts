import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { aGitHub, OAUTH, type AGitHub } from '../fixtures/a-github.ts';
import { at } from '../fixtures/at.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

let world: AGitHub;
let without: AGitHub;
beforeAll(async () => {
  world = await aGitHub({ oauth: { ...OAUTH, deviceFlow: { intervalS: 5 } } });
  without = await aGitHub({ oauth: OAUTH });
});
afterEach(() => void jest.useRealTimers());
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await without[Symbol.asyncDispose]();
});

describe('a program on a device', () => {
  test('gets a token of the person who entered its code, once', async () => {
    const { device_code: code = '', ...shown } = await begin();

    const before = await ask(code);
    await decide(shown['user_code'] ?? '', 'rea', 'authorize');
    later(5_000);
    const token = await ask(code);
    later(5_000);

    expect(shown).toMatchObject({ verification_uri: `${world.github.url}/login/device`, expires_in: 900, interval: 5 });
    expect(shown['user_code']).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    expect(before).toMatchObject({ error: 'authorization_pending' });
    const user = await world.api('GET', '/user', undefined, { token: token['access_token'] ?? '' });
    expect(at(user.body, 'login')).toBe('rea');
    expect(await ask(code)).toMatchObject({ error: 'incorrect_device_code' });
  });

  test('that asks too often has to wait longer each time', async () => {
    const { device_code: code = '' } = await begin();
    later(0);
    await ask(code);

    const answers = [await ask(code), await ask(code)];
    later(15_000);

    expect(answers).toMatchObject([
      { error: 'slow_down', interval: 10 },
      { error: 'slow_down', interval: 15 },
    ]);
    expect(await ask(code)).toMatchObject({ error: 'authorization_pending' });
  });

  test('is told that the person said no', async () => {
    const { device_code: code = '', user_code: shown = '' } = await begin();

    await decide(shown, 'rea', 'cancel');

    expect(await ask(code)).toMatchObject({ error: 'access_denied' });
  });

  test('is told when its code has expired, which nobody can enter then', async () => {
    const { device_code: code = '', user_code: shown = '' } = await begin();

    later(900_000);

    expect((await decide(shown, 'rea', 'authorize')).status).toBe(404);
    expect(await ask(code)).toMatchObject({ error: 'expired_token' });
  });

  test('gets no code of an App that has no device flow, or that is not there', async () => {
    const disabled = await beginAt(without);
    const unknown = await beginAt(world, 'another');

    expect([disabled.status, await disabled.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'device_flow_disabled' }),
    ]);
    expect([unknown.status, await unknown.json()]).toEqual([404, { error: 'Not Found' }]);
  });
});

function later(ms: number): void {
  jest.useFakeTimers({ now: Date.now() + ms, doNotFake: ['setTimeout', 'setInterval', 'setImmediate', 'nextTick'] });
}

function beginAt({ github }: AGitHub, clientId = OAUTH.clientId): Promise<Response> {
  return fetch(`${github.url}/login/device/code`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId }),
  });
}

async function begin(): Promise<Record<string, string>> {
  return (await (await beginAt(world)).json()) as Record<string, string>; // As GitHub answers, with numbers besides.
}

function decide(code: string, login: string, answer: 'authorize' | 'cancel'): Promise<Response> {
  const body = new URLSearchParams({ user_code: code, answer });
  return fetch(`${world.github.url}/login/device`, { method: 'POST', headers: { cookie: `who=${login}` }, body });
}

async function ask(code: string): Promise<Record<string, string>> {
  const body = new URLSearchParams({ client_id: OAUTH.clientId, device_code: code, grant_type: GRANT });
  const answer = await fetch(`${world.github.url}/login/oauth/access_token`, { method: 'POST', body });
  return (await answer.json()) as Record<string, string>; // As GitHub answers, with numbers besides.
}
