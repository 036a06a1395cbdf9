import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { LoginConfig } from '@nereid/config';
import { aConsole, RUNNING } from '../testing.ts';
import { aLoginProxy, AUDIENCE, ISSUER, type LoginProxy } from './fixtures/a-login-proxy.ts';

const HEADER = 'x-goog-iap-jwt-assertion';

let proxy: LoginProxy;
beforeAll(async () => {
  proxy = await aLoginProxy();
});
beforeEach(() => {
  proxy.isAway = false;
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
});

/** Behind the proxy, with a person who opens a page as it says. */
async function behindProxy(changes: Partial<Extract<LoginConfig, { mode: 'proxy' }>> = {}) {
  const policy: Extract<LoginConfig, { mode: 'proxy' }> = {
    ...{
      mode: 'proxy',
      header: HEADER,
      issuer: ISSUER,
      audience: AUDIENCE,
      claim: 'email',
      keysUrl: proxy.keysUrl,
      vouchesForEmail: false,
    },
    ...changes,
  };
  const people = new Map([['ada@company.example', 'ada']]);
  const console = await aConsole({ lane: { running: RUNNING }, login: { policy, people } });
  const open = (assertion: string, path = '/lanes') => console.get(path, { [policy.header]: assertion });
  return { ...console, open };
}

describe('behind a login proxy, a person', () => {
  test('is who the proxy says, by the name that the server’s file gives them', async () => {
    const { open } = await behindProxy();

    const page = await open(await proxy.assertion());

    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('@ada')]);
  });

  test('without a GitHub login is told how to get one', async () => {
    const { open } = await behindProxy();

    const page = await open(await proxy.assertion({ email: 'eve@company.example' }), '/api/v1/lanes');

    expect([page.status, await page.text()]).toEqual([401, expect.stringContaining('add it under console.people')]);
  });

  test.each([false, 'false', 'true', 1, null, undefined])(
    'whose address nobody verified is nobody: email_verified is %p',
    async (email_verified) => {
      const { open } = await behindProxy();

      const page = await open(await proxy.assertion({ email_verified }), '/api/v1/lanes');

      expect([page.status, await page.text()]).toEqual([401, expect.stringContaining('your address is not verified')]);
    },
  );

  test.each([
    [undefined, 200],
    [true, 200],
    [false, 401],
    ['true', 401],
  ])(
    'needs no email_verified where the server’s file says that the proxy verifies addresses: %p gives %d',
    async (email_verified, status) => {
      const { open } = await behindProxy({ vouchesForEmail: true });

      expect((await open(await proxy.assertion({ email_verified }), '/api/v1/lanes')).status).toBe(status);
    },
  );

  test('named by another claim needs no verified address', async () => {
    const { open } = await behindProxy({ claim: 'github_login' });
    const assertion = await proxy.assertion({ github_login: 'ada', email_verified: false });

    expect((await open(assertion, '/api/v1/lanes')).status).toBe(200);
  });

  test('can be named in the header for tokens as well, beside tokens of scripts', async () => {
    const { get } = await behindProxy({ header: 'authorization' });
    const statusOf = async (authorization: string) => (await get('/api/v1/lanes', { authorization })).status;

    expect(await statusOf(`Bearer ${await proxy.assertion()}`)).toBe(200);
    expect(await statusOf('Bearer nereid_test')).toBe(200);
    expect(await statusOf('Bearer nereid_another')).toBe(401);
  });

  test('is asked for by name, and by none that two have written', async () => {
    const { url } = await behindProxy();
    const assertion = await proxy.assertion();
    const { request } = await import('node:http');
    const answer = await new Promise<number | undefined>((resolve) => {
      request(`${url}/api/v1/lanes`, { headers: { [HEADER]: [assertion, assertion] } }, ({ statusCode }) => {
        resolve(statusCode);
      }).end();
    });

    expect(answer).toBe(401);
  });
});

describe('a forged assertion', () => {
  const forged: readonly (readonly [string, () => Promise<string> | string])[] = [
    ['without a signature', () => proxy.unsigned()],
    ['signed with the public key as a secret', () => proxy.confused()],
    ['of another issuer', () => proxy.assertion({ iss: 'https://evil.example' })],
    ['for another audience', () => proxy.assertion({ aud: 'another' })],
    ['of a key that is not the proxy’s', signedByAnother],
    ['that is none', () => 'a.b.c'],
  ];

  test.each(forged)('an assertion %s counts for nothing', async (_what, make) => {
    const { open } = await behindProxy();

    const answer = await open(await make(), '/api/v1/lanes');

    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });
});

describe('time', () => {
  test('ends it, and the sentence says so', async () => {
    const { open } = await behindProxy();
    const old = await proxy.assertion({}, { nowS: Date.now() / 1_000 - 1_000, lifeS: 600 });

    expect(await (await open(old, '/api/v1/lanes')).json()).toMatchObject({
      detail: expect.stringContaining('expired'),
    });
  });

  test('may differ by a minute between two companies, and not by more', async () => {
    const { open } = await behindProxy();
    const endedAgo = (seconds: number) => proxy.assertion({}, { nowS: Math.floor(Date.now() / 1_000) - 600 - seconds });

    expect((await open(await endedAgo(40))).status).toBe(200);
    expect((await open(await endedAgo(90), '/api/v1/lanes')).status).toBe(401);
  });
});

describe('keys', () => {
  test('change, and what the old one signed counts no more', async () => {
    const { open } = await behindProxy();
    const before = await proxy.assertion();
    expect((await open(before)).status).toBe(200);

    await proxy.rotate();

    expect((await open(await proxy.assertion())).status).toBe(200);
    expect((await open(before, '/api/v1/lanes')).status).toBe(401);
  });

  test('that cannot be read say nothing of anybody: not now, and pages with a link go on', async () => {
    const { open, get, pathOf } = await behindProxy();
    proxy.isAway = true;

    expect((await open(await proxy.assertion(), '/api/v1/lanes')).status).toBe(503);
    expect((await get(pathOf(RUNNING.id), { [HEADER]: await proxy.assertion() })).status).toBe(200);
    expect(await (await open(await proxy.assertion(), '/login')).text()).toContain('does not answer');
  });
});

test('who comes around the proxy is led to a page that says so', async () => {
  const { get } = await behindProxy();

  const page = await get('/lanes', { accept: 'text/html' });

  expect([page.url.endsWith('/login?to=%2Flanes'), page.status]).toEqual([true, 200]);
  expect(await page.text()).toContain('The proxy said nothing about you');
});

async function signedByAnother(): Promise<string> {
  await using another = await aLoginProxy();
  return await another.assertion();
}
