import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Secret } from '@nereid/config';
import { aConsole, RUNNING } from '../testing.ts';
import { anOpenIdProvider, CLIENT_ID, type OpenIdOptions, type OpenIdProvider } from './fixtures/an-openid-provider.ts';
import { clockAt } from './fixtures/clock.ts';
import { Browser, type StagedLogin } from './testing.ts';

/** It says that it is not set up for production. */
beforeAll(() => void jest.spyOn(console, 'warn').mockReturnValue(undefined));

const endings: (() => PromiseLike<void>)[] = [];
afterEach(async () => {
  jest.useRealTimers();
  for (const end of endings.splice(0).reverse()) await end();
});

async function withProvider(options: OpenIdOptions = {}, staged: Partial<StagedLogin> = {}) {
  const provider = await anOpenIdProvider(options);
  endings.push(() => provider[Symbol.asyncDispose]());
  const console = await anotherConsole(provider, options, staged);
  return { provider, console, browser: new Browser(console.url) };
}

/** A console of the same installation. */
function anotherConsole({ issuer }: OpenIdProvider, { secret }: OpenIdOptions = {}, staged: Partial<StagedLogin> = {}) {
  const policy = {
    mode: 'oidc',
    issuer,
    clientId: CLIENT_ID,
    claim: 'preferred_username',
    vouchesForEmail: false,
  } as const;
  const settings = secret === undefined ? {} : { oidcSecret: new Secret(secret) };
  return aConsole({ lane: { running: RUNNING }, login: { policy, settings, ...staged } });
}

const LOGIN = '/login/start?to=%2Flanes%3Fstate%3Dfailed';

describe('a person who logs in with OpenID Connect', () => {
  test.each<[string, OpenIdOptions]>([
    ['a client without a secret', {}],
    ['a client with one', { secret: 'a secret of the client' }],
  ])('comes back to the page that they asked for: %s', async (_what, options) => {
    const { browser } = await withProvider(options);

    const { url, response } = await browser.open(LOGIN);

    expect([response.status, url.pathname + url.search]).toEqual([200, '/lanes?state=failed']);
    expect(await response.text()).toContain('@ada');
  });

  test('begins on a page that says how, to which every page leads', async () => {
    const { browser } = await withProvider();

    const { url, response } = await browser.open('/insights', { headers: { accept: 'text/html' } });

    expect(url.pathname + url.search).toBe('/login?to=%2Finsights');
    expect(await response.text()).toContain('href="login/start?to=%2Finsights"');
    expect((await browser.ask('/api/v1/lanes')).status).toBe(401);
  });

  test('comes back to no other host, whatever the address says', async () => {
    const { browser } = await withProvider();

    const { url } = await browser.open('/login/start?to=%2F%2Fevil.example');

    expect(url.href).toBe('https://console.example/');
  });

  test('has a cookie that no script and no other host gets, and that is not sent without TLS', async () => {
    const { browser } = await withProvider();
    const cookies: string[] = [];
    const ask = browser.ask.bind(browser);
    browser.ask = async (...args) => {
      const response = await ask(...args);
      if (args[0].includes('callback')) cookies.push(...response.headers.getSetCookie());
      return response;
    };

    await browser.open(LOGIN);

    const session = cookies.find((line) => line.startsWith('__Host-nereid='));
    expect(session).toMatch(/Max-Age=3600; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
  });

  test('gets a new session: one from before their login is gone', async () => {
    const { browser, provider } = await withProvider();
    provider.person = 'mallory';
    await browser.open(LOGIN);
    const before = browser.own.get('__Host-nereid');
    const csrfBefore = await csrfIn(browser);

    provider.person = 'ada';
    browser.cookies.delete(new URL(provider.issuer).host);
    await browser.open(LOGIN);

    expect(browser.own.get('__Host-nereid')).not.toBe(before);
    expect(await csrfIn(browser)).not.toBe(csrfBefore);
    expect(await (await browser.ask('/login')).text()).toContain('You are @ada');
  });
});

describe('a login counts for nothing', () => {
  test('when its answer comes a second time', async () => {
    const { browser } = await withProvider();
    const attempt = new Map<string, string>();
    let callback = '';
    const ask = browser.ask.bind(browser);
    browser.ask = async (address, init) => {
      if (address.includes('/callback')) {
        callback = address;
        for (const [name, value] of browser.own) attempt.set(name, value);
      }
      return ask(address, init);
    };
    await browser.open(LOGIN);
    browser.own.clear();

    const without = await browser.ask(callback);
    for (const [name, value] of attempt) browser.own.set(name, value);
    const again = await browser.ask(callback);

    expect([without.status, again.status]).toEqual([403, 403]);
    expect(browser.own.has('__Host-nereid')).toBe(false);
  });

  test('in a browser that did not begin it', async () => {
    const { browser, console, provider } = await withProvider();
    const victim = new Browser(console.url);
    await victim.ask('/login/start');
    provider.person = 'mallory';
    const attacker = await callbackOf(browser);

    const answer = await victim.ask(attacker);

    expect(answer.status).toBe(403);
    expect(victim.own.has('__Host-nereid')).toBe(false);
  });

  test('when the person did not agree, and the page says so', async () => {
    const { browser, provider } = await withProvider();
    const begun = await browser.ask(LOGIN);
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';

    const answer = await browser.ask(`/login/callback?error=access_denied&state=${state}&iss=${provider.issuer}`);

    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('you did not agree')]);
  });
});

test.each([
  ['a little', 30, 200],
  ['a little', -30, 200],
  ['hours', 7_200, 401],
  ['hours', -7_200, 401],
])('clocks that differ by %s (%d s) give a session: %d', async (_much, clockAheadS, status) => {
  const { browser } = await withProvider({ clockAheadS });

  await browser.open(LOGIN);

  expect((await browser.ask('/api/v1/lanes')).status).toBe(status);
});

describe('a session', () => {
  test('is good at another console of the installation, and at no other installation', async () => {
    const { browser, provider } = await withProvider();
    await browser.open(LOGIN);

    browser.console = (await anotherConsole(provider)).url;
    expect((await browser.ask('/api/v1/lanes')).status).toBe(200);

    const foreign = { settings: { url: 'https://another.example' } };
    browser.console = (await anotherConsole(provider, {}, foreign)).url;
    expect((await browser.ask('/api/v1/lanes')).status).toBe(401);
  });

  test('opens with an older key while keys rotate, and with none that is gone', async () => {
    const { browser, provider } = await withProvider({}, { settings: { sessionKeys: keys('old') } });
    await browser.open(LOGIN);

    browser.console = (await anotherConsole(provider, {}, { settings: { sessionKeys: keys('new', 'old') } })).url;
    expect((await browser.ask('/api/v1/lanes')).status).toBe(200);

    browser.console = (await anotherConsole(provider, {}, { settings: { sessionKeys: keys('new') } })).url;
    expect((await browser.ask('/api/v1/lanes')).status).toBe(401);
  });

  test('whose cookie was changed is none', async () => {
    const { browser } = await withProvider();
    await browser.open(LOGIN);
    const cookie = browser.own.get('__Host-nereid') ?? '';

    browser.own.set('__Host-nereid', `${cookie.slice(0, -8)}AAAA${cookie.slice(-4)}`);

    expect((await browser.ask('/api/v1/lanes')).status).toBe(401);
  });

  test('ends with the ID token, where the provider gives no more', async () => {
    const { browser } = await withProvider({ idTokenLifeS: 600 });
    await browser.open(LOGIN);

    clockAt(700_000);

    const answer = await browser.ask('/api/v1/lanes');
    expect([answer.status, await answer.json()]).toEqual([
      401,
      expect.objectContaining({ detail: expect.stringContaining('expired') }),
    ]);
  });

  test('goes on with a refresh token, which is used once however many pages ask', async () => {
    const { browser, provider } = await withProvider({ idTokenLifeS: 600, givesRefreshTokens: true });
    await browser.open(LOGIN);
    const before = provider.tokenRequests();

    clockAt(595_000);
    const answers = await Promise.all([1, 2, 3].map(() => browser.ask('/api/v1/lanes')));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(provider.tokenRequests() - before).toBe(1);
    clockAt(100_000);
    expect((await browser.ask('/api/v1/lanes')).status).toBe(200);
  });

  test('is refreshed by one of two consoles that are asked at once, and goes on at both', async () => {
    const { browser, console } = await withProvider({ idTokenLifeS: 600, givesRefreshTokens: true });
    await browser.open(LOGIN);
    const beside = new Browser(await console.another('beside'));
    for (const [name, value] of browser.own) beside.own.set(name, value);

    clockAt(595_000);
    const answers = [await browser.ask('/api/v1/lanes'), await beside.ask('/api/v1/lanes')];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('goes on while storage hangs, which nobody waits for long', async () => {
    const { browser, console } = await withProvider();
    await browser.open(LOGIN);
    const list = console.store.list.bind(console.store);
    console.store.list = (prefix, options) => (prefix === 'logouts/' ? never() : list(prefix, options));
    clockAt(11_000);

    expect((await browser.ask('/api/v1/me')).status).toBe(200);
  });

  test('that nobody uses ends after an hour, and any after half a day', async () => {
    const { browser } = await withProvider({ idTokenLifeS: 30 * 3_600 });
    await browser.open(LOGIN);
    const first = browser.own.get('__Host-nereid');

    for (let hours = 0; hours < 13; hours += 0.75) {
      clockAt(0.75 * 3_600_000);
      const expected = hours < 11.25 ? 200 : 401;
      expect([hours, (await browser.ask('/api/v1/lanes')).status]).toEqual([hours, expected]);
    }
    expect(browser.own.get('__Host-nereid')).not.toBe(first);

    jest.useRealTimers();
    browser.own.set('__Host-nereid', first ?? '');
    clockAt(3_601_000);
    expect((await browser.ask('/api/v1/lanes')).status).toBe(401);
  });
});

describe('a logout', () => {
  test('ends the session, and leads to the one of the provider', async () => {
    const { browser, provider } = await withProvider();
    await browser.open(LOGIN);

    const page = await browser.submit('/login', 'logout');
    const text = await page.text();

    expect(browser.own.has('__Host-nereid')).toBe(false);
    expect((await browser.ask('/api/v1/lanes')).status).toBe(401);
    expect(text).toContain(`href="${provider.issuer}/session/end?`);
    expect(text).toContain(encodeURIComponent('https://console.example/login'));
  });

  test('ends the session for whoever has a copy of its cookie, also at another console', async () => {
    const { browser, console } = await withProvider({ givesRefreshTokens: true });
    await browser.open(LOGIN);
    const copies = [console.url, await console.another('beside')].map((url) => {
      const copy = new Browser(url);
      for (const [name, value] of browser.own) copy.own.set(name, value);
      return copy;
    });
    const statuses = () => Promise.all(copies.map(async (copy) => (await copy.ask('/api/v1/lanes')).status));
    expect(await statuses()).toEqual([200, 200]);

    await browser.submit('/login', 'logout');
    clockAt(11_000);

    expect(await statuses()).toEqual([401, 401]);
  });

  test('says so when the other consoles cannot be told', async () => {
    const { browser, console } = await withProvider();
    await browser.open(LOGIN);
    console.store.put = () => Promise.reject(new Error('away'));

    const text = await (await browser.submit('/login', 'logout')).text();

    expect(text).toContain('storage could not be told');
    expect((await browser.ask('/api/v1/lanes')).status).toBe(401);
  });

  test('leads nowhere where the provider has none', async () => {
    const { browser } = await withProvider({ canLogOut: false });
    await browser.open(LOGIN);

    const text = await (await browser.submit('/login', 'logout')).text();

    expect(text).toContain('You are logged out');
    expect(text).not.toContain('session/end');
  });

  test('is not asked for by pages of others', async () => {
    const { browser } = await withProvider();
    await browser.open(LOGIN);

    const without = await browser.ask('/logout', { method: 'POST', body: new URLSearchParams({ where: 'here' }) });
    const foreign = [
      await browser.submit('/login', 'logout', 0, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }),
      await browser.submit('/login', 'logout', 0, { 'sec-fetch-site': 'same-site' }),
    ];

    expect([without, ...foreign].map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await browser.ask('/api/v1/lanes')).status).toBe(200);
  });
});

describe('while the provider is away', () => {
  test('nobody can log in, the page says so, and links open as ever', async () => {
    const { browser, provider, console } = await withProvider();
    provider.isAway = true;

    const answer = await browser.ask(LOGIN);

    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('does not answer')]);
    expect((await console.get(console.pathOf(RUNNING.id))).status).toBe(200);
    provider.isAway = false;
    expect((await browser.open(LOGIN)).response.status).toBe(200);
  });

  test('those who are logged in go on', async () => {
    const { browser, provider } = await withProvider();
    await browser.open(LOGIN);

    provider.isAway = true;

    expect((await browser.ask('/api/v1/lanes')).status).toBe(200);
  });
});

async function callbackOf(browser: Browser): Promise<string> {
  let url = new URL('https://console.example/login/start');
  while (!url.pathname.endsWith('/callback')) {
    const { headers } = await browser.ask(url.href);
    url = new URL(headers.get('location') ?? '', url);
  }
  return url.href;
}

async function csrfIn(browser: Browser): Promise<string | undefined> {
  const page = await (await browser.ask('/login')).text();
  return /name="csrf" value="(?<csrf>[^"]+)"/.exec(page)?.groups?.['csrf'];
}

function keys(...names: readonly string[]): readonly Secret[] {
  return names.map((name) => new Secret(`${name} key for sessions that nobody guesses`));
}

/** A list that has no first item yet. */
async function* never(): AsyncGenerator<string> {
  await new Promise<never>(() => undefined);
  yield '';
}
