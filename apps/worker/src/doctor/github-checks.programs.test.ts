/** The App of a real server that follows GitHub's description. */
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { Secret } from '@nereid/config';
import { diagnose, type Diagnosis } from '@nereid/doctor';
import { APP_EVENTS, APP_PERMISSIONS } from '@nereid/github';
import { makeAppKey, startGitHub, type GitHubOptions, type GitHubStandIn } from '@nereid/github-stand-in';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { githubChecks } from './github-checks.ts';

const APP_ID = 4711;
/** Nothing listens on the port that is reserved for "discard". */
const NOWHERE = 'http://127.0.0.1:9';

const folder = folderOfThisFile();
let standIn: GitHubStandIn | undefined;
const [{ privateKey }, { privateKey: another }] = [makeAppKey(), makeAppKey()];

afterEach(async () => {
  await standIn?.close();
  standIn = undefined;
});

async function start(app: Partial<GitHubOptions['app']> = {}, hook = `${NOWHERE}/events`): Promise<GitHubStandIn> {
  standIn = await startGitHub({
    dataDir: await mkdtemp(join(folder, 'github-')),
    app: { id: APP_ID, slug: 'nereid', key: privateKey, ...app },
    webhook: { url: hook, secret: 'a secret of the webhook' },
    checkAnswers: true,
  });
  return standIn;
}

const SERVER = {
  repositories: [{ match: 'acme/*', settings: {}, roots: [] }],
  policies: [],
  notifications: [],
  protectionRules: [],
};

async function diagnosed(apiUrl: string, key = privateKey, server: object = SERVER): Promise<Diagnosis> {
  type Config = Parameters<typeof githubChecks>[0];
  // Only the address of GitHub and the rules are read.
  const config = { github: { apiUrl }, server: { current: () => server } } as unknown as Config;
  const diagnosis = await diagnose('worker', githubChecks(config, { id: APP_ID, privateKey: new Secret(key) }));
  expect(JSON.stringify(diagnosis)).not.toContain(key.slice(100, 140));
  return diagnosis;
}

function findingsOf({ examined }: Diagnosis, name: string): readonly string[] {
  return examined
    .filter((each) => each.name === name)
    .map(({ outcome, found, remedy = '' }) => [outcome, found, remedy].join(' | '));
}

const REPOSITORY = {
  owner: 'acme',
  name: 'infra',
  files: { 'README.md': '#' },
  collaborators: { ada: 'admin' },
} as const;

test('an App that has what it needs is fine; without a webhook yet, nobody knows whether they arrive', async () => {
  const github = await start({
    permissions: Object.fromEntries(APP_PERMISSIONS.map(({ name, level }) => [name, level])),
    events: APP_EVENTS.map(({ name }) => name),
  });
  await github.createRepository(REPOSITORY);
  await github.settled();

  const diagnosis = await diagnosed(github.apiUrl);

  expect(diagnosis.examined.map(({ name, outcome }) => `${name}: ${outcome}`)).toEqual([
    'github: app: ok',
    'github: installations: ok',
    'github: webhook: ok',
    expect.stringMatching(/^github: deliveries: (skip|fail)$/),
    'clock: ok',
  ]);
  github.assertNoRefusedRequests();
});

test('an App without permissions and events names each of them, and where to grant it', async () => {
  const github = await start({ permissions: { checks: 'read', metadata: 'read' }, events: ['push', 'pull_request'] });
  await github.createRepository(REPOSITORY);

  const diagnosis = await diagnosed(github.apiUrl);

  expect(findingsOf(diagnosis, 'github: app')).toEqual([
    'fail | expected the App nereid to have the permission "Checks": write, found that it does not | grant it on the page of the App',
    expect.stringContaining('permission "Contents": read'),
    expect.stringContaining('permission "Issues": read'),
    expect.stringContaining('permission "Pull requests": write'),
    expect.stringContaining('event "Issue comment"'),
  ]);
  expect(findingsOf(diagnosis, 'github: installations')[0]).toBe(
    'fail | expected the installation of acme to have the permission "Checks": write, found that it does not | let its owner accept what the App asks for, on the page of the installation',
  );
});

test('members, merge queues, deployments and protection rules count where the file needs them', async () => {
  const github = await start({
    permissions: allBut('members', 'merge_queues', 'deployments', 'actions'),
    events: ['push'],
  });
  const rule = { permissions: { confirm: { teams: ['acme/sre'] } } };
  const repositories = [{ match: 'acme/*', pullRequests: 'plan', settings: rule, roots: [] }];
  const server = {
    ...SERVER,
    repositories,
    notifications: [{ target: { kind: 'deployments' } }],
    protectionRules: [{}],
  };

  const found = findingsOf(await diagnosed(github.apiUrl, privateKey, server), 'github: app');

  expect(found).toContainEqual(expect.stringMatching(/^warn \| .*"Merge queues": read, in case/));
  expect(found).toContainEqual(expect.stringMatching(/^fail \| .*"Members": read, because the rules of the file name/));
  expect(found).toContainEqual(
    expect.stringMatching(/^fail \| .*"Deployments": write, because the file has deployments/),
  );
  expect(found).toContainEqual(
    expect.stringMatching(/^fail \| .*"Actions": read, because the file has protection_rules/),
  );
  expect(found).toContainEqual(expect.stringMatching(/^fail \| .*event "Deployment protection rule", because/));
});

test('an App without protection rules needs nothing of GitHub Actions', async () => {
  const github = await start({ permissions: allBut('actions', 'deployments'), events: ['push'] });

  const found = findingsOf(await diagnosed(github.apiUrl), 'github: app').join('\n');

  expect(found).not.toMatch(/Actions|Deployment/);
});

test('members count also where a review asks for teams', async () => {
  const github = await start({ permissions: allBut('members'), events: ['push'] });
  const repositories = [{ match: 'acme/*', settings: { review: { eachOf: ['acme/sre'] } }, roots: [] }];

  const found = findingsOf(await diagnosed(github.apiUrl, privateKey, { ...SERVER, repositories }), 'github: app');

  expect(found).toContainEqual(expect.stringMatching(/^fail \| .*"Members": read, because the rules of the file name/));
});

function allBut(...left: readonly string[]) {
  const some = APP_PERMISSIONS.filter(({ name }) => !left.includes(name));
  return Object.fromEntries(some.map(({ name, level }) => [name, level]));
}

test('an App that is installed nowhere deploys nothing', async () => {
  const github = await start();

  expect(findingsOf(await diagnosed(github.apiUrl), 'github: installations')).toEqual([
    'fail | expected the App to be installed, found that it is nowhere | install it on the repositories',
  ]);
});

test('the key of another App is refused, and no check says more than that', async () => {
  const github = await start();

  const diagnosis = await diagnosed(github.apiUrl, another);

  expect(findingsOf(diagnosis, 'github: app')).toEqual([
    expect.stringMatching(/^fail \| GitHub refused GET App with status 401: .* \| check the App's id and private key/),
  ]);
});

test('a GitHub that is away is told apart from one that refuses', async () => {
  const { examined, isHealthy } = await diagnosed(NOWHERE);

  expect(isHealthy).toBe(false);
  expect(examined.map(({ outcome, found }) => `${outcome}: ${found}`)).toEqual([
    'fail: expected an answer from GitHub to GET App, found no answer',
    'fail: expected an answer from GitHub to GET installations, found no answer',
    'fail: expected an answer from GitHub to GET webhook, found no answer',
    'fail: expected an answer from GitHub to GET deliveries, found no answer',
    `warn: expected to read the time from ${NOWHERE}, found none`,
  ]);
});

test.each([
  [60_000, 'fail', '60.0 s behind GitHub'],
  [-10_000, 'warn', '10.0 s ahead of GitHub'],
])('a clock that is wrong by %i ms is told (%s)', async (ahead, outcome, found) => {
  const server = createServer((_request, response) => {
    response.sendDate = false;
    response
      .setHeader('date', new Date(Date.now() + ahead).toUTCString())
      .writeHead(404)
      .end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on TCP.

  const [finding = ''] = findingsOf(await diagnosed(`http://127.0.0.1:${port}`), 'clock');

  server.close();
  expect(
    finding.replaceAll(/(\d+)\.\d s/g, (_all, seconds: string) => `${Math.round(Number(seconds) / 5) * 5}.0 s`),
  ).toBe(
    `${outcome} | expected the clock of this machine to be right, found it ${found} | set it, and keep it right with NTP`,
  );
});

test.each([
  ['http://nereid.example/hook', 'fail | expected a webhook that ends in /events, found http://nereid.example/hook'],
  ['http://nereid.example/events', 'warn | expected a webhook with https, found http://nereid.example/events'],
])('the webhook %s is looked at', async (hook, finding) => {
  const github = await start({}, hook);

  expect(findingsOf(await diagnosed(github.apiUrl), 'github: webhook')).toEqual([expect.stringContaining(finding)]);
});

test('a webhook that nobody took is told with what to do', async () => {
  const github = await start();
  await github.createRepository(REPOSITORY);
  github.ping();
  await github.settled();

  expect(findingsOf(await diagnosed(github.apiUrl), 'github: deliveries')).toEqual([
    expect.stringMatching(
      /^fail \| expected the last webhook \(ping, .*\) to be taken, found .* \| see whether the gate/,
    ),
  ]);
});
