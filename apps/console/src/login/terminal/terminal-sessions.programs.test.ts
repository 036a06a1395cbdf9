/** What the session of a terminal is good for, how it goes on, and how it ends. */
import { describe, expect, test } from '@jest/globals';
import { SESSION_PREFIX, SessionAnswer } from '@nereid/api';
import { aConsole, aControl, RUNNING, TOKEN } from '../../testing.ts';
import { Browser } from '../testing.ts';
import { aGitHubPlace, anOpenIdPlace, beginLogin, clockAt, logIn, post, type LoginConsole } from './testing.ts';
import { logInAtGitHub } from '../fixtures/a-login-github.ts';

const LANE = '/api/v1/lanes/acme/infra/network';
const HOUR_MS = 3_600_000;

/** A provider of an hour's tokens, which it renews once each. */
const RENEWING = { idTokenLifeS: 3_600, givesRefreshTokens: true } as const;

function ask({ url }: { readonly url: string }, session: string): Promise<Response> {
  return fetch(url + LANE, { headers: { authorization: `Bearer ${session}` } });
}

async function renew(console: { readonly url: string }, session: string): Promise<string> {
  return SessionAnswer.parse(await (await post(console, '/login/renew', {}, session)).json()).session;
}

describe('the session of a terminal', () => {
  test('acts for its person, without a word of our pages', async () => {
    const place = await aGitHubPlace();
    const { requests, asked } = aControl();
    const console = await place.console({ requests });
    const session = await logIn(place, console);

    const path = `/deployments/${RUNNING.id}/cancel?lane=acme%2Finfra%2Fnetwork`;
    const answer = await post(console, path, {}, session);

    expect(answer.status).toBe(200);
    expect(asked[0]?.visitor).toMatchObject({ person: { login: 'rea' }, proof: { mode: 'github' }, by: 'header' });
  });

  test('is good at another console of the installation, and at no other installation', async () => {
    const place = await anOpenIdPlace();
    const console = await place.console();
    const session = await logIn(place, console);

    const beside = await ask({ url: await console.another('beside') }, session);
    const there = await ask(await place.console({}, { settings: { url: 'https://another.example' } }), session);

    expect([beside.status, there.status]).toEqual([200, 401]);
    expect(await there.json()).toMatchObject({ detail: expect.stringContaining('log in again: nereid login') });
  });

  test('is no cookie, and a cookie is none', async () => {
    const place = await aGitHubPlace();
    const console = await place.console();
    const session = await logIn(place, console);
    const browser = new Browser(console.url);
    await logInAtGitHub(browser, place.github, 'rea');
    const cookie = browser.own.get('__Host-nereid') ?? '';
    const { device } = await beginLogin(console);

    const asBearer = [await ask(console, SESSION_PREFIX + cookie), await ask(console, SESSION_PREFIX + device)];
    browser.own.set('__Host-nereid', session.slice(SESSION_PREFIX.length));
    const asCookie = await browser.ask(LANE);

    expect(cookie).not.toBe('');
    expect([...asBearer, asCookie].map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  test('ends half a day after the login, however often it is renewed', async () => {
    const place = await anOpenIdPlace(RENEWING);
    const console = await place.console();
    let session = await logIn(place, console);

    for (let hours = 0; hours < 11; hours += 1) {
      clockAt(HOUR_MS);
      session = await renew(console, session);
      expect([hours, (await ask(console, session)).status]).toEqual([hours, 200]);
    }
    clockAt(HOUR_MS);

    expect((await ask(console, session)).status).toBe(401);
    expect((await post(console, '/login/renew', {}, session)).status).toBe(401);
  });

  test.each<[string, Parameters<typeof aConsole>[0]]>([
    ['without any login', {}],
    ['on the person’s own machine', { isLocal: true }],
  ])('is good for nothing %s', async (_where, outside) => {
    const console = await aConsole(outside);
    const session = `${SESSION_PREFIX}x.y`;

    const answers = [await ask(console, session), await post(console, '/login/renew', {}, session)];

    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });
});

describe('a session whose tokens end', () => {
  test('is not renewed by a request, but on demand, and the same answer comes to whoever did not get it', async () => {
    const place = await anOpenIdPlace(RENEWING);
    const console = await place.console();
    const session = await logIn(place, console);
    const before = place.provider.tokenRequests();
    clockAt(HOUR_MS - 30_000);

    const due = await Promise.all([1, 2, 3].map(() => ask(console, session)));
    const untouched = place.provider.tokenRequests();
    const renewed = [await renew(console, session), await renew(console, session)];

    expect(due.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect([untouched - before, place.provider.tokenRequests() - before]).toEqual([0, 1]);
    for (const one of renewed) expect((await ask(console, one)).status).toBe(200);
  });

  test('need not be renewed while they count', async () => {
    const place = await anOpenIdPlace(RENEWING);
    const console = await place.console();
    const session = await logIn(place, console);
    const before = place.provider.tokenRequests();

    expect(await renew(console, session)).toBe(session);
    expect(place.provider.tokenRequests()).toBe(before);
  });

  test('of a minute only is good for half of that before it is due', async () => {
    const place = await anOpenIdPlace({ ...RENEWING, idTokenLifeS: 60 });
    const console = await place.console();
    const session = await logIn(place, console);

    const statuses = [(await ask(console, session)).status];
    clockAt(40_000);
    statuses.push((await ask(console, session)).status, (await ask(console, await renew(console, session))).status);

    expect(statuses).toEqual([200, 401, 200]);
  });

  test('is not over while the provider is away', async () => {
    const place = await anOpenIdPlace(RENEWING);
    const console = await place.console();
    const session = await logIn(place, console);
    clockAt(2 * HOUR_MS);
    place.provider.isAway = true;

    const away = await post(console, '/login/renew', {}, session);
    place.provider.isAway = false;

    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await ask(console, await renew(console, session))).status).toBe(200);
  });
});

describe('a logout', () => {
  test('ends the session at GitHub, also one that has to be renewed, and no other', async () => {
    const place = await aGitHubPlace({ tokenLifeMs: 8 * HOUR_MS });
    const console = await place.console();
    const [first, due, other] = await sessionsOf(place, console);

    const left = await post(console, '/logout', {}, first);
    clockAt(8 * HOUR_MS);
    await post(console, '/logout', {}, due);

    expect([left.status, await left.json()]).toEqual([200, { sentence: 'You are logged out here.' }]);
    for (const ended of [first, due]) expect((await post(console, '/login/renew', {}, ended)).status).toBe(401);
    expect((await ask(console, await renew(console, other))).status).toBe(200);
  });

  test('ends it for whoever has a copy, where the provider ends nothing', async () => {
    const place = await anOpenIdPlace();
    const console = await place.console();
    const session = await logIn(place, console);
    expect((await ask(console, session)).status).toBe(200);

    await post(console, '/logout', {}, session);
    clockAt(6_000);

    expect((await ask(console, session)).status).toBe(401);
  });

  test('ends what it is renewed with at the provider', async () => {
    const place = await anOpenIdPlace({ ...RENEWING, canRevoke: true });
    const console = await place.console();
    const session = await logIn(place, console);

    await post(console, '/logout', {}, session);
    clockAt(HOUR_MS);

    const renewed = await post(console, '/login/renew', {}, session);
    expect([renewed.status, await renewed.json()]).toEqual([
      401,
      expect.objectContaining({ detail: expect.stringContaining('log in again: nereid login') }),
    ]);
  });

  test('everywhere in a browser ends it within half a minute', async () => {
    const place = await aGitHubPlace();
    const console = await place.console();
    const session = await logIn(place, console);
    const browser = new Browser(console.url);
    await logInAtGitHub(browser, place.github, 'rea');
    expect((await ask(console, session)).status).toBe(200);

    await browser.submit('/login', 'logout', 1);
    clockAt(31_000);

    expect((await ask(console, session)).status).toBe(401);
  });

  test('while GitHub is away ends the session all the same, and says what is left to do', async () => {
    const place = await aGitHubPlace();
    const console = await place.console();
    const session = await logIn(place, console);
    place.github.faults.add({ kind: 'failure', status: 503, route: /^DELETE /, times: 1 });

    const answers = [await post(console, '/logout', {}, session), await post(console, '/logout', {}, session)];

    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    expect(await answers[0]?.json()).toEqual({
      sentence: expect.stringContaining('You are logged out here. The provider could not be told'),
    });
    expect((await ask(console, session)).status).toBe(401);
  });

  test('while storage is away says that other consoles do not know of it', async () => {
    const place = await aGitHubPlace();
    const console = await place.console();
    const session = await logIn(place, console);
    console.store.put = () => Promise.reject(new Error('away'));

    const answer = await post(console, '/logout', {}, session);

    expect(await answer.json()).toEqual({ sentence: expect.stringContaining('Storage could not be told') });
    expect((await ask(console, session)).status).toBe(401);
  });

  test.each<[string, string | undefined]>([
    ['nobody', undefined],
    ['a script', TOKEN],
  ])('of %s is refused', async (_who, token) => {
    const console = await (await aGitHubPlace()).console();

    const answers = [await post(console, '/logout', {}, token), await post(console, '/login/renew', {}, token)];

    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });
});

async function sessionsOf(place: Parameters<typeof logIn>[0], console: LoginConsole) {
  return [await logIn(place, console), await logIn(place, console), await logIn(place, console)] as const;
}
