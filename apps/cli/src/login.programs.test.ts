/** Who asks, and how that is kept. */
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { aConsole, RUNNING, TOKEN } from '@nereid/console/testing';
import { hashOfToken } from '@nereid/config';
import { controlThat } from './testing/fake-control.ts';
import { aHome, nereid, nereidInside } from './testing/run.ts';

const SHA = 'a'.repeat(40);
const FILE = '.config/nereid/login.json';

describe('nereid login', () => {
  test('takes the token from stdin, checks it, and keeps it where nobody else can read it', async () => {
    const HOME = aHome();
    const console = await aConsole();

    const { status, stdout, stderr } = await nereid(['login'], { console, env: { HOME }, stdin: `${TOKEN}\n` });

    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`Logged in to ${console.url} as @robot by the token ci (read, review; acme/infra).\n`);
    expect(statSync(join(HOME, FILE)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(HOME, FILE), 'utf8'))).toMatchObject({ tokens: { [console.url]: TOKEN } });
  });

  test('asks for the token on a terminal, and shows it to nobody', async () => {
    const HOME = aHome();
    const console = await aConsole();
    const terminal = { columns: 80, types: `${TOKEN}\r` };

    const asked = await nereidInside(['login', '--token'], { console, env: { HOME }, terminal });
    const offered = await nereidInside(['login'], { console, env: { HOME }, terminal });

    expect([asked.status, offered.status]).toEqual([0, 0]);
    expect(asked.stderr).toBe(`Token for ${console.url}: \n`);
    expect(offered.stderr).toBe(
      `This console has no login from a terminal: operators make tokens for it, with nereid token.\n${asked.stderr}`,
    );
    expect(asked.stdout + offered.stdout).not.toContain(TOKEN);
  });

  test('keeps nothing of a token that the console does not know', async () => {
    const HOME = aHome();
    const console = await aConsole();

    const { status, stdout, stderr } = await nereidInside(['login'], { console, env: { HOME }, stdin: 'nereid_other' });

    expect([status, stdout]).toEqual([4, '']);
    expect(stderr).toContain('this token is not known here');
    expect(stderr).not.toContain('nereid_other');
    expect(() => statSync(join(HOME, FILE))).toThrow();
  });

  test.each(['', '\n', 'two words', 'a\u001bb', 'x'.repeat(600)])(
    'takes no %j for a token, and does not repeat it',
    async (stdin) => {
      const { status, stderr } = await nereidInside(['login'], { stdin });

      expect(status).toBe(2);
      expect(stderr).toMatch(/^expected a token/);
      expect(stderr).not.toContain('two words');
    },
  );

  test('is for the console that is asked from then on, and its token goes to no other', async () => {
    const HOME = aHome();
    const console = await aConsole({ requests: controlThat({}) });
    const other = await aConsole({ requests: controlThat({}) });
    await nereidInside(['login', '--console', console.url], { env: { HOME }, stdin: TOKEN });

    const own = await nereidInside(['login', '--json', '--console', console.url], { env: { HOME }, stdin: TOKEN });
    const here = await nereidInside(['deploy', 'acme/none', SHA, 'network'], { env: { HOME } });
    const there = await nereidInside(['deploy', 'acme/none', SHA, 'network'], { env: { HOME }, console: other });

    expect(JSON.parse(own.stdout)).toMatchObject({ login: 'robot' });
    // The one knows who asks, and has no such lane; the other has not been told who it is.
    expect([here.status, there.status]).toEqual([3, 4]);
  });

  test('ends with nereid logout', async () => {
    const HOME = aHome();
    const console = await aConsole({ requests: controlThat({}) });
    await nereidInside(['login'], { console, env: { HOME }, stdin: TOKEN });

    const left = await nereidInside(['logout'], { console, env: { HOME } });
    const again = await nereidInside(['logout'], { console, env: { HOME } });

    expect(left.stdout).toBe(`Logged out of ${console.url}.\n`);
    expect(again.stdout).toBe(`You were not logged in to ${console.url}.\n`);
    expect(readFileSync(join(HOME, FILE), 'utf8')).not.toContain(TOKEN);
    expect(await nereidInside(['deploy', 'acme/infra', SHA, 'network'], { console, env: { HOME } })).toMatchObject({
      status: 4,
    });
  });
});

describe('a token', () => {
  test('in a file of one’s own is taken, in one that others can read it is not', async () => {
    const HOME = aHome();
    const file = join(HOME, 'token');
    writeFileSync(file, `${TOKEN}\n`, { mode: 0o600 });
    const console = await aConsole({ requests: controlThat({}) });
    const unlock = () =>
      nereidInside(['deploy', 'acme/none', SHA, 'network'], { console, env: { HOME, NEREID_TOKEN_FILE: file } });

    const own = await unlock();
    chmodSync(file, 0o644);
    const shared = await unlock();

    expect([own.status, shared.status]).toEqual([3, 2]);
    expect(shared.stderr).toContain('(mode 644): chmod 600 it');
  });

  test('of a login file that others can read is not used', async () => {
    const HOME = aHome();
    mkdirSync(join(HOME, '.config/nereid'), { recursive: true });
    writeFileSync(join(HOME, FILE), '{"version":1,"tokens":{}}', { mode: 0o640 });

    expect(await nereidInside(['lanes'], { env: { HOME } })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('mode 640'),
    });
  });

  test('does not leave the machine without TLS, unless somebody insists', async () => {
    const env = { NEREID_TOKEN: TOKEN, NEREID_CONSOLE: 'http://nereid.invalid' };

    const refused = await nereidInside(['lanes'], { env });
    const insisted = await nereidInside(['lanes', '--allow-http'], { env });

    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('expected https') });
    expect(insisted.status).toBe(5);
    expect(refused.stderr + insisted.stderr).not.toContain(TOKEN);
  });

  test('is made with its entry for the server’s file, which has only its hash', async () => {
    const { status, stdout } = await nereid(['token', 'ci', '--login', 'octocat']);

    const [made = '', ...entry] = stdout.split('\n');
    expect(status).toBe(0);
    expect(made).toMatch(/^nereid_[\w-]{43}$/);
    expect(entry.join('\n')).toContain(`sha256: ${hashOfToken(made)}`);
    expect(entry.join('\n')).not.toContain(made);
  });

  test('shows its script what it may read', async () => {
    const console = await aConsole({ lane: { running: RUNNING } });
    const env = { NEREID_TOKEN: TOKEN };

    const lanes = await nereidInside(['lanes'], { console, env });
    const logs = await nereidInside(['deployment', 'acme/infra/network'], { console, env });

    expect([lanes.status, logs.status]).toEqual([0, 0]);
    expect(lanes.stdout).toContain('acme/infra/network');
  });

  test('that is none is not shown', async () => {
    const { status, stderr } = await nereidInside(['lanes'], { env: { NEREID_TOKEN: 'not a token' } });

    expect(status).toBe(2);
    expect(stderr).not.toContain('not a token');
  });
});

describe('without a login', () => {
  test('nobody acts: exit code 4', async () => {
    const console = await aConsole({ requests: controlThat({}) });

    const { status, stdout, stderr } = await nereid(['deploy', 'acme/infra', SHA, 'network'], { console });

    expect([status, stdout]).toEqual([4, '']);
    expect(stderr).toContain('Nobody knows who you are');
    expect(stderr).toContain('nereid login');
  });

  test('nobody sees lists: exit code 4', async () => {
    const console = await aConsole();

    expect(await nereidInside(['lanes'], { console })).toMatchObject({ status: 4, stdout: '' });
  });
});

test.each([
  ['ftp://a', 'expected an address'],
  ['nereid.example.com', 'expected an address'],
  ['https://me:secret@nereid.example.com', 'found one with a password'],
  ['https://nereid.example.com/?key=1', 'expected an address'],
])('%s is no console', async (url, sentence) => {
  const { status, stderr } = await nereidInside(['lanes', '--console', url]);

  expect([status, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  expect(stderr).not.toContain('secret');
});
