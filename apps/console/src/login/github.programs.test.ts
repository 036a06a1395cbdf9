import { describe, expect, test } from '@jest/globals';
import { Secret } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import type { GitHubStandIn } from '@nereid/github-stand-in';
import { createAskGitHub } from '../access/github/ask-github.ts';
import { readEvents } from '../platform/streams/testing.ts';
import { aConsole, RUNNING } from '../testing.ts';
import { aLoginGitHub, CLIENT, logInAtGitHub } from './fixtures/a-login-github.ts';
import { clockAt } from './fixtures/clock.ts';
import { Browser } from './testing.ts';

const LANE = '/api/v1/lanes/acme/infra/network';

/** `acme/infra`, a private repository: `ada` administers it, `rea` reads. `mallory` has another one. */
async function withGitHub({
  tokenLifeMs,
  secret = CLIENT.clientSecret,
  operators = [],
}: { tokenLifeMs?: number; secret?: string; operators?: readonly string[] } = {}) {
  const github = await aLoginGitHub(defined({ tokenLifeMs }));
  const other = { owner: 'acme', name: 'other', files: { 'main.tf': '' }, private: true } as const;
  await github.createRepository({ ...other, collaborators: { mallory: 'admin' } });
  const console = await consoleOf(github, secret, operators);
  return { github, console, browser: new Browser(console.url) };
}

function consoleOf(github: GitHubStandIn, secret = CLIENT.clientSecret, operators: readonly string[] = []) {
  return aConsole({
    lane: { running: RUNNING },
    login: {
      policy: { mode: 'github', clientId: CLIENT.clientId },
      operators,
      settings: { githubSecret: new Secret(secret) },
      github,
      askAccess: createAskGitHub(github.apiUrl),
    },
  });
}

describe('a person who logs in with GitHub', () => {
  test('comes back to the page that they asked for, and sees what GitHub shows them', async () => {
    const { browser, github } = await withGitHub();

    const { url, response } = await logInAtGitHub(browser, github, 'rea', '/lanes');

    expect([response.status, url.href]).toEqual([200, 'https://console.example/lanes']);
    expect(await response.text()).toContain('acme/infra');
    github.assertNoRefusedRequests();
  });

  test('sees nothing of a repository that GitHub does not show them', async () => {
    const { browser, github } = await withGitHub();
    await logInAtGitHub(browser, github, 'mallory');

    const [hidden, absent] = [await browser.ask(LANE), await browser.ask(LANE.replace('infra', 'never-was'))];

    expect([hidden.status, absent.status]).toEqual([404, 404]);
    expect(await hidden.text()).toBe(await absent.text());
    expect(await (await browser.ask('/api/v1/lanes')).json()).toMatchObject({ items: [], counts: {} });
  });

  test.each([
    ['as an operator, sees hosts', 'mallory', 200],
    ['with the login that an operator gave up, sees none: the account counts', 'mallory#1', 404],
  ])('a person %s', async (_what, operator, status) => {
    const { browser, github } = await withGitHub({ operators: [operator] });
    await logInAtGitHub(browser, github, 'mallory');

    expect((await browser.ask('/api/v1/hosts')).status).toBe(status);
  });

  test('who is removed from the organisation sees nothing five minutes later', async () => {
    const { browser, github } = await withGitHub();
    await logInAtGitHub(browser, github, 'rea');
    expect((await browser.ask(LANE)).status).toBe(200);

    github.setRole('acme/infra', 'rea', undefined);
    clockAt(5 * 60_000 + 1);

    expect((await browser.ask(LANE)).status).toBe(404);
  });

  test('who is removed gets nothing more of a log that they follow', async () => {
    const { browser, github, console } = await withGitHub();
    await console.writeLog('planned\n');
    await logInAtGitHub(browser, github, 'rea');
    const cookie = [...browser.own].map(([name, value]) => `${name}=${value}`).join('; ');
    const page = `${console.url}/deployments/${RUNNING.id}/logs/plan/events?lane=acme/infra/network`;
    const stream = await readEvents(page, { cookie });
    expect(await stream.next()).toMatchObject({ event: 'start' });

    github.setRole('acme/infra', 'rea', undefined);
    clockAt(5 * 60_000 + 1);

    while ((await stream.next()) !== undefined);
    expect((await readEvents(page, { cookie })).status).toBe(404);
  });

  test('goes on under a new login: GitHub’s id stays', async () => {
    const { browser, github } = await withGitHub();
    await logInAtGitHub(browser, github, 'rea');

    github.renameAccount('rea', 'rea-new');
    clockAt(31_000);

    expect(await (await browser.ask('/login')).text()).toContain('You are @rea-new');
    expect((await browser.ask(LANE)).status).toBe(200);
  });

  test('is told when the operators gave the wrong secret', async () => {
    const { browser, github } = await withGitHub({ secret: 'another' });

    const { response } = await logInAtGitHub(browser, github, 'rea');

    expect([response.status, await response.text()]).toEqual([
      403,
      expect.stringContaining('incorrect_client_credentials'),
    ]);
  });
});

describe('a token of GitHub that expires', () => {
  const HOURS_8 = 8 * 3_600_000;

  test('is renewed, once however many pages ask', async () => {
    const { browser, github } = await withGitHub({ tokenLifeMs: HOURS_8 });
    await logInAtGitHub(browser, github, 'rea');
    for (let hours = 0; hours < 8; hours += 0.75) {
      clockAt(0.75 * 3_600_000);
      const answers = await Promise.all([1, 2].map(() => browser.ask(LANE)));
      expect([hours, ...answers.map(({ status }) => status)]).toEqual([hours, 200, 200]);
    }
  });

  test('is not renewed by a stream, which could give its browser no new one', async () => {
    const { browser, github, console } = await withGitHub({ tokenLifeMs: HOURS_8 });
    await logInAtGitHub(browser, github, 'rea');
    for (let hours = 0; hours < 7.5; hours += 0.75) {
      clockAt(0.75 * 3_600_000);
      await browser.ask(LANE);
    }
    const cookie = [...browser.own].map(([name, value]) => `${name}=${value}`).join('; ');
    const stream = await readEvents(`${console.url}/api/v1/events`, { cookie });
    expect(await stream.next()).toMatchObject({ event: 'reset' });

    clockAt(45 * 60_000);

    while ((await stream.next()) !== undefined);
    expect((await browser.ask(LANE)).status).toBe(200);
  });

  test('that was revoked is not renewed', async () => {
    const { browser, github, console } = await withGitHub({ tokenLifeMs: HOURS_8 });
    await logInAtGitHub(browser, github, 'rea');
    const stolen = new Browser(console.url);
    for (const [name, value] of browser.own) stolen.own.set(name, value);
    await browser.submit('/login', 'logout', 0);

    clockAt(31_000);

    expect((await stolen.ask(LANE)).status).toBe(401);
  });
});

describe('a logout', () => {
  test('ends this login at GitHub, and no other of the same person', async () => {
    const { browser, github, console } = await withGitHub();
    const second = new Browser(console.url);
    await logInAtGitHub(browser, github, 'rea');
    await logInAtGitHub(second, github, 'rea');

    await browser.submit('/login', 'logout', 0);
    clockAt(31_000);

    expect((await browser.ask(LANE)).status).toBe(401);
    expect((await second.ask(LANE)).status).toBe(200);
  });

  test('everywhere ends all logins of the person half a minute later, at all consoles, and nobody else’s', async () => {
    const { browser, github, console } = await withGitHub();
    const elsewhere = new Browser((await consoleOf(github)).url);
    const other = new Browser(console.url);
    await logInAtGitHub(browser, github, 'rea');
    await logInAtGitHub(elsewhere, github, 'rea');
    await logInAtGitHub(other, github, 'ada');
    expect((await elsewhere.ask(LANE)).status).toBe(200);

    const page = await browser.submit('/login', 'logout', 1);
    clockAt(31_000);

    expect(await page.text()).toContain('everywhere else within half a minute');
    const answer = await elsewhere.ask(LANE);
    expect([answer.status, await answer.json()]).toEqual([
      401,
      expect.objectContaining({ detail: expect.stringContaining('log in again') }),
    ]);
    expect((await other.ask(LANE)).status).toBe(200);
  });

  test('everywhere ends the streams that are open elsewhere as well: of events and of logs', async () => {
    const { browser, github } = await withGitHub();
    const other = await consoleOf(github);
    await other.writeLog('planned\n');
    const elsewhere = new Browser(other.url);
    await logInAtGitHub(browser, github, 'rea');
    await logInAtGitHub(elsewhere, github, 'rea');
    const cookie = [...elsewhere.own].map(([name, value]) => `${name}=${value}`).join('; ');
    const page = `${other.url}/deployments/${RUNNING.id}/logs/plan/events?lane=acme/infra/network`;
    const streams = [await readEvents(`${other.url}/api/v1/events`, { cookie }), await readEvents(page, { cookie })];
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);

    await browser.submit('/login', 'logout', 1);
    clockAt(31_000);

    for (const stream of streams) while ((await stream.next()) !== undefined);
    expect((await readEvents(`${other.url}/api/v1/events`, { cookie })).status).toBe(401);
  });

  test('while GitHub is away ends the session, and says what is left to do', async () => {
    const { browser, github } = await withGitHub();
    await logInAtGitHub(browser, github, 'rea');
    const page = await (await browser.ask('/login')).text();
    const csrf = /name="csrf" value="(?<csrf>[^"]+)"/.exec(page)?.groups?.['csrf'] ?? '';
    github.faults.add({ kind: 'failure', status: 503, route: /^DELETE /, times: 1 });

    const answer = await browser.ask('/logout', { method: 'POST', body: new URLSearchParams({ csrf }) });

    expect(await answer.text()).toContain('the provider could not be told');
    expect(browser.own.has('__Host-nereid')).toBe(false);
  });
});

test('while GitHub is away, what somebody may see is not known: not now, and links open as ever', async () => {
  const { browser, github, console } = await withGitHub();
  await logInAtGitHub(browser, github, 'rea');
  github.faults.add({ kind: 'failure', status: 503 });
  clockAt(5 * 60_000 + 1);

  const answer = await browser.ask(LANE);

  expect(answer.status).toBe(503);
  expect((await console.get(console.pathOf(RUNNING.id))).status).toBe(200);
});
