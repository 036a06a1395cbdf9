/** Logins by `nereid login` on a terminal: how they begin, go on, and end. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  aGitHubPlace,
  anOpenIdPlace,
  clockAt,
  inTurns,
  logIn as sessionAt,
  type LoginPlace,
} from '@nereid/console/login-testing';
import { EXIT, ExitError } from '../exit-code.ts';
import { aHome, nereidInside, type MadeUp } from '../testing/run.ts';

const FILE = '.config/nereid/login.json';
const HOUR_MS = 3_600_000;
const CODE = /enter the code (?<code>[A-Z]{4}-[A-Z]{4})/;

/** What the console gives is renewed each hour, and each time once. */
const RENEWING = { idTokenLifeS: 3_600, givesRefreshTokens: true } as const;

type Decide = (code: string) => unknown;

/** `nereid login` on a terminal. Once it shows a code, the person decides. */
function logIn(decide: Decide, madeUp: MadeUp, args: readonly string[] = []) {
  const onNote = (text: string) => {
    const { code } = CODE.exec(text)?.groups ?? {};
    if (code !== undefined) decide(code);
  };
  return nereidInside(['login', ...args], { terminal: { columns: 80 }, onNote, ...madeUp });
}

function sessionIn(home: string, { url }: { readonly url: string }): string | undefined {
  const { tokens } = JSON.parse(readFileSync(join(home, FILE), 'utf8')) as { tokens: Record<string, string> };
  return tokens[url];
}

describe('nereid login on a terminal', () => {
  test.each<[string, () => Promise<LoginPlace>, string]>([
    ['GitHub', aGitHubPlace, 'rea'],
    ['OpenID Connect', anOpenIdPlace, 'ada'],
  ])('shows where to agree, waits for it, and is the person at %s from then on', async (_name, aPlace, person) => {
    const HOME = aHome();
    const place = await aPlace();
    const console = await place.console();
    const inHome = { console, env: { HOME } };

    const { status, stdout, stderr } = await logIn((code) => place.decide(code, 'agree'), inHome);
    const lanes = await nereidInside(['lanes', '--json'], inHome);

    expect([status, stdout]).toEqual([0, `Logged in to ${console.url} as @${person}.\n`]);
    expect(stderr).toMatch(/^Open http:\S+\/device and enter the code/);
    expect(stderr).toContain('Ctrl-C ends it');
    expect(stdout + stderr).not.toContain('nereid_session_');
    expect(statSync(join(HOME, FILE)).mode & 0o777).toBe(0o600);
    expect([lanes.status, JSON.parse(lanes.stdout)]).toEqual([0, expect.objectContaining({ rootName: 'network' })]);
  });

  test('prints who it is for programs, and the code for people', async () => {
    const place = await aGitHubPlace();
    const console = await place.console();

    const { stdout, stderr } = await logIn((code) => place.decide(code, 'agree'), { console }, ['--json']);

    expect(JSON.parse(stdout)).toEqual({ login: 'rea' });
    expect(stderr).toMatch(CODE);
  });

  test('says that the person refused, and keeps nothing', async () => {
    const HOME = aHome();
    const place = await aGitHubPlace();
    const console = await place.console();

    const { status, stderr } = await logIn((code) => place.decide(code, 'refuse'), { console, env: { HOME } });

    expect([status, stderr]).toEqual([1, expect.stringContaining('you did not agree')]);
    expect(existsSync(join(HOME, FILE))).toBe(false);
  });

  test('waits no longer than the code counts, by the clock of either side', async () => {
    const place = await aGitHubPlace();
    const console = await place.console();
    let now = Date.now();

    const own = await logIn(() => (now += HOUR_MS), { console, now: () => now });
    const theirs = await logIn(() => clockAt(HOUR_MS), { console });

    expect([own.status, own.stderr]).toEqual([1, expect.stringContaining('nobody entered the code in time')]);
    expect([theirs.status, theirs.stderr]).toEqual([1, expect.stringContaining('the code has expired')]);
  });

  test('ends with Ctrl-C', async () => {
    const console = await (await aGitHubPlace()).console();
    const leaving = new AbortController();
    const leave = () => {
      leaving.abort(new ExitError(EXIT.interrupted, ''));
    };

    expect((await logIn(leave, { console, signal: leaving.signal })).status).toBe(130);
  });

  test('tells what operators have to switch on, and asks for a token', async () => {
    const console = await (await aGitHubPlace({ hasDeviceFlow: false })).console();
    const terminal = { columns: 80, types: 'nereid_other\r' };

    const { status, stderr } = await nereidInside(['login'], { console, terminal });

    expect([status, stderr]).toEqual([4, expect.stringContaining('tick “Enable Device Flow”')]);
    expect(stderr).toContain('this token is not known here');
  });
});

describe('a login', () => {
  /** As `nereid login` leaves it. */
  async function loggedIn(place: LoginPlace, console: { readonly url: string }) {
    const HOME = aHome();
    const login = { version: 1, current: console.url, tokens: { [console.url]: await sessionAt(place, console) } };
    mkdirSync(dirname(join(HOME, FILE)), { recursive: true });
    writeFileSync(join(HOME, FILE), JSON.stringify(login), { mode: 0o600 });
    const inHome = { console, env: { HOME } };
    return { HOME, lanes: () => nereidInside(['lanes'], inHome), inHome };
  }

  test.each<[string, () => Promise<LoginPlace>, number]>([
    ['GitHub', () => aGitHubPlace({ tokenLifeMs: 8 * HOUR_MS }), 8 * HOUR_MS],
    ['OpenID Connect', () => anOpenIdPlace(RENEWING), HOUR_MS],
  ])('a login at %s is renewed when its time has come, and kept', async (_name, aPlace, lifeMs) => {
    const place = await aPlace();
    const console = await place.console();
    const { HOME, lanes } = await loggedIn(place, console);
    const before = sessionIn(HOME, console);

    clockAt(lifeMs);
    const statuses = [(await lanes()).status, (await lanes()).status];

    expect(statuses).toEqual([0, 0]);
    expect(sessionIn(HOME, console)).not.toBe(before);
    expect(statSync(join(HOME, FILE)).mode & 0o777).toBe(0o600);
  });

  test('is renewed once, by several nereid at once and at several consoles, and goes on', async () => {
    const place = await anOpenIdPlace(RENEWING);
    const console = await place.console();
    const { lanes } = await loggedIn(place, await inTurns([console.url, await console.another('beside')]));

    for (let hours = 1; hours < 4; hours += 1) {
      clockAt(HOUR_MS);
      const before = place.provider.tokenRequests();
      const ended = await Promise.all([1, 2, 3, 4, 5].map(() => lanes()));

      expect([hours, ...ended.map(({ status }) => status)]).toEqual([hours, 0, 0, 0, 0, 0]);
      expect(place.provider.tokenRequests() - before).toBe(1);
    }
  });

  test('that is being renewed is kept, although Ctrl-C ends what it was renewed for', async () => {
    const place = await anOpenIdPlace(RENEWING);
    const leaving = new AbortController();
    const balancer = await inTurns([(await place.console()).url], (path) => {
      if (path.endsWith('/login/renew')) leaving.abort(new ExitError(EXIT.interrupted, ''));
    });
    const { HOME, lanes, inHome } = await loggedIn(place, balancer);
    const before = sessionIn(HOME, balancer);
    clockAt(HOUR_MS);

    const left = await nereidInside(['lanes'], { ...inHome, signal: leaving.signal });

    expect(left.status).toBe(130);
    expect(sessionIn(HOME, balancer)).not.toBe(before);
    expect((await lanes()).status).toBe(0);
  });

  test('that has ended elsewhere ends with a sentence: exit code 4', async () => {
    const place = await aGitHubPlace({ tokenLifeMs: 8 * HOUR_MS });
    const console = await place.console();
    const { lanes, inHome } = await loggedIn(place, console);
    const copy = await loggedIn(place, console);
    await nereidInside(['logout'], inHome);

    clockAt(13 * HOUR_MS);
    const [without, late] = [await lanes(), await copy.lanes()];

    expect([without.status, late.status]).toEqual([4, 4]);
    expect(late.stderr).toContain('log in again: nereid login');
  });

  test('ends at its provider with nereid logout', async () => {
    const place = await aGitHubPlace();
    const console = await place.console();
    const { HOME, inHome } = await loggedIn(place, console);
    const session = sessionIn(HOME, console) ?? '';

    const left = await nereidInside(['logout', '--json'], inHome);
    clockAt(31_000);

    expect(JSON.parse(left.stdout)).toEqual({ console: console.url, wasLoggedIn: true });
    expect(sessionIn(HOME, console)).toBeUndefined();
    const answer = await console.get('/api/v1/me', { authorization: `Bearer ${session}` });
    expect(answer.status).toBe(401);
  });

  test('is forgotten by nereid logout also where it could not be ended, which says what is left to do', async () => {
    const place = await aGitHubPlace();
    const console = await place.console();
    const { HOME, inHome } = await loggedIn(place, console);
    const other = await place.console({}, { settings: { url: 'https://another.example' } });
    const file = join(HOME, FILE);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(console.url, other.url));

    const { status, stdout, stderr } = await nereidInside(['logout'], { ...inHome, console: other });

    expect([status, stdout]).toEqual([0, `Logged out of ${other.url}.\n`]);
    expect(stderr).toContain('To be safe, end the login on the pages');
    expect(sessionIn(HOME, other)).toBeUndefined();
  });
});
