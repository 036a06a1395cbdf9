/** As a new user goes, from README.md to the first deployment that is applied. */
import { copyFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { GitHubStandIn } from '@nereid/github-stand-in';
import { startStateServer, type StateServer } from '@nereid/test-kit/state-server';
import { choosePlace, PROCESSES, startInstallation, type Place } from '../testing/installation.ts';
import { aHome, nereidInside, startNereid } from '../testing/run.ts';
import { aFolder, aGitHub, makeApp } from './testing.ts';

const COMPOSE = join(import.meta.dirname, '../../../../docker-compose.yml');
const REPOSITORY = 'acme/infra';

/** Minutes alone; others may use both cores. */
const WITHIN_MS = 120_000;

test('with nothing but what nereid setup wrote, everything starts, the doctors are content, and a merge is applied', async () => {
  const [github, clone, home] = [await aGitHub(), aFolder(), aHome()];
  const place = await choosePlace(aFolder());
  copyFileSync(COMPOSE, join(clone, 'docker-compose.yml'));
  const collaborators = { ada: 'admin' } as const;
  await using states = await startStateServer();
  const files = { 'network/main.tf': rootOf(states) };
  await github.createRepository({ owner: 'acme', name: 'infra', files, collaborators });

  const next = await setUp(github, place, clone);
  const [, install = '', app = ''] = /^1\. Install the App .*: ((http\S+)\/installations\/new)$/m.exec(next) ?? [];
  await person(install);
  await person(`${app}/device-flow`);
  await using installation = await startInstallation(readlinkSync(join(clone, '.env')), place);
  const console = { url: `http://127.0.0.1:${place.ports.console}` };
  const env = { HOME: home };
  const login = await nereidInside(['login', '--console', console.url], {
    ...{ env, terminal: { columns: 120 } },
    onNote: (text) => void enterCode(github, text),
  });
  expect(login).toMatchObject({ status: 0, stdout: `Logged in to ${console.url} as @ada.\n` });

  await merge(github);

  const complaints = await Promise.all(PROCESSES.map((name) => installation.complaintsOf(name)));
  // On one machine, a sandbox reaches the console and what the machine's cloud has; a network policy forbids that elsewhere.
  expect(complaints.flat().filter((complaint) => !complaint.startsWith('worker, reachable: '))).toEqual([]);
  const doctor = await nereidInside(['doctor'], { env });
  expect(doctor).toMatchObject({ status: 0, stderr: '' });
  const lanes = await nereidInside(['lanes'], { env });
  expect(lanes.stdout).toMatch(/acme\/infra\/network +idle/);
  github.assertNoRefusedRequests();
});

/** Returns what is printed. GitHub tells the operator's id. */
async function setUp(github: GitHubStandIn, { ports }: Place, clone: string): Promise<string> {
  const addresses = [
    '--gateway-url',
    `http://127.0.0.1:${ports.gateway}`,
    '--console-url',
    `http://127.0.0.1:${ports.console}`,
  ];
  const owner = ['--github-url', github.url, '--organization', 'acme', '--operator', 'ada'];
  const running = startNereid(['setup', aFolder(), ...owner, ...addresses], { folder: clone });
  const asked = await running.prints(/^ {2}http:\S+$/m);
  await makeApp(/^ {2}(http:\S+)$/m.exec(asked)?.[1] ?? '');
  const { status, stdout, stderr } = await running.ended;
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

async function merge(github: GitHubStandIn): Promise<void> {
  const change = {
    branch: 'network',
    message: 'Add a network',
    author: 'ada',
    files: { 'network/network.tf': NETWORK },
  };
  await github.commit({ repository: REPOSITORY, ...change });
  const { number } = await github.openPullRequest({
    repository: REPOSITORY,
    title: 'A network',
    head: 'network',
    author: 'ada',
  });
  const sha = await github.mergePullRequest({ repository: REPOSITORY, number }, { kind: 'merge', by: 'ada' });
  const run = () => github.checkRuns(REPOSITORY, sha).find(({ name }) => name === 'nereid/deploy: network');
  const button = () => run()?.actions.find(({ label }) => label === 'Confirm');
  const { identifier } = await github.waitFor(button, { what: 'a plan with Confirm', deadlineMs: WITHIN_MS });
  github.pressButton(run()?.id ?? 0, identifier, 'ada');
  const title = () => (run()?.conclusion === 'success' ? run()?.output.title : undefined);
  const applied = await github.waitFor(title, { what: 'an apply', deadlineMs: WITHIN_MS });
  expect(applied).toBe('Applied: 1 added, 0 changed, 0 destroyed');
}

async function enterCode(github: GitHubStandIn, text: string): Promise<void> {
  const code = /enter the code (\S+)/.exec(text)?.[1];
  if (code !== undefined) await person(`${github.url}/login/device`, { user_code: code, answer: 'authorize' });
}

/** Sends the form of a page. */
async function person(page: string, fields: Readonly<Record<string, string>> = {}): Promise<void> {
  const { status } = await fetch(page, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  expect([page, status]).toEqual([page, 303]);
}

const rootOf = ({ url }: StateServer) => `terraform {
  backend "http" {
    address        = "${url}"
    lock_address   = "${url}"
    unlock_address = "${url}"
  }
}
`;
const NETWORK = `resource "terraform_data" "network" {
  input = "10.0.0.0/16"
}
`;
