/** What code of a root can reach. Each attempt succeeds without a sandbox, so that none of them is refused by accident. */
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { runCommand } from '@nereid/subprocess';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { withOrder } from '../testing/test-signatures.ts';
import { ATTEMPTS, CANARY } from './testing/theft.ts';
import type { TestHostOptions } from './testing/open-test-host.ts';
import { hostsOfEachTest } from './testing/test-hosts.ts';

const hosts = hostsOfEachTest();
const foreign = folderOfEachTest();

/** The documentation says so, and what to do about it. */
const OF_THE_NETWORK = ['speak to a socket without a file', 'reach a port of this machine'];

test('without a sandbox, code of a root reaches all that the worker reaches, but not its credentials for git', async () => {
  const all = { done: Object.keys(ATTEMPTS), readByTerraform: ['file', 'environment'], left: ['survivor', 'file'] };
  expect(await steal({ sandbox: 'none' })).toEqual({ ...all, isCanaryKept: true });
});

test('in its sandbox without a network, code of a root reaches nothing that is not its own', async () => {
  const nothing = { done: [], readByTerraform: [], left: [] };
  expect(await steal({ network: 'none' })).toEqual({ ...nothing, isCanaryKept: false });
});

test('in its sandbox with the network of the worker, it reaches the ports and nameless sockets of the machine too', async () => {
  const some = { done: OF_THE_NETWORK, readByTerraform: [], left: [] };
  expect(await steal({ network: 'host' })).toEqual({ ...some, isCanaryKept: false });
});

test('of a root with a network of its own, that counts', async () => {
  await using others = await openOthers(join(foreign, 'key'));
  const run = `export PORT=${others.port}; (${ATTEMPTS['reach a port of this machine']}) 2>/dev/null && echo REACHED; true`;
  const job = await hosts.deploy(
    { 'main.tf': 'terraform {\n  backend "local" {}\n}' },
    { plan: [{ kind: 'run', run }] },
  );
  const isolated = await withOrder({ ...job, root: { ...job.root, network: 'none' } });

  expect(await hosts.openHost({ network: 'host' }).plan(isolated)).toMatchObject({ kind: 'planned' });

  expect(await hosts.readLog(isolated)).not.toContain('REACHED');
});

interface Stolen {
  /** The attempts that succeeded in a step of the root. */
  readonly done: readonly (string | undefined)[];
  /** What plain expressions in its code read: a key, and the environment of another process. */
  readonly readByTerraform: readonly string[];
  /** What it left behind: a process in a session of its own, and a file in the machine's folder for temporary files. */
  readonly left: readonly string[];
  /** Whether what belongs to others came into a log, the plan, storage or a failure, plain or in base64. */
  readonly isCanaryKept: boolean;
}

async function steal(options: Pick<TestHostOptions, 'sandbox' | 'network'>): Promise<Stolen> {
  const key = join(foreign, 'key');
  await using others = await openOthers(key);
  const files = {
    'main.tf': `
terraform {
  backend "local" {}
}
output "key" { value = try(file("${key}"), "nothing") }
output "environment" { value = try(filebase64("/proc/${others.pid}/environ"), "nothing") }`,
  };
  const host = hosts.openHost(options);
  const another = await hosts.deploy(files);
  expect(await host.plan(another)).toMatchObject({ kind: 'planned' });
  const top = dirname(dirname(dirname(hosts.treeOf(another))));
  const leftFile = join(tmpdir(), `nereid-left-${process.pid}`);
  const attempts = Object.entries(ATTEMPTS).map(
    ([name, condition]) => `if (${condition}); then echo "DONE ${name}"; fi`,
  );
  const run = `
export FOREIGN=${foreign} TOP=${top} MIRROR=${top}/h1/mirrors/acme/infra.git
export OTHER=${others.pid} WORKER=${process.pid} MEMORY=${others.memory} PORT=${others.port}
(${attempts.join('\n')}) 2>/dev/null
env | grep GIT_CONFIG_VALUE && echo 'DONE see the credentials for git'
touch ${leftFile}
setsid sh -c 'echo > ${hosts.stateDir}/begun; sleep 1; echo > ${hosts.stateDir}/survivor' &
while [ ! -e ${hosts.stateDir}/begun ]; do :; done`;

  const job = await hosts.deploy(files, { plan: [{ kind: 'run', run }] });
  const plan = await host.plan(job);
  const log = await hosts.readLog(job);
  const failing = await hosts.deploy(files, { plan: [{ kind: 'run', run: `cat ${key} >&2; exit 1` }] });
  const failed = await host.plan(failing);
  const hasSurvivor = async () => (await readdir(hosts.stateDir)).includes('survivor');
  // For longer than it would take; without a sandbox, for as long as it takes.
  await sleep(1_500);
  while (options.sandbox === 'none' && !(await hasSurvivor())) await sleep(100);

  expect(plan).toMatchObject({ kind: 'planned', plan: { body: { hasChanges: true } } });
  expect(failed).toMatchObject({ kind: 'failed' });
  const decoded = Buffer.from(/environment *= "([\w+/=]*)"/.exec(log)?.[1] ?? '', 'base64').toString();
  const shown = await showPlan(join(dirname(hosts.treeOf(job)), 'plan'), hosts.treeOf(job));
  const kept = [log, shown, JSON.stringify([plan, failed]), ...(await readAll(join(top, 'storage')))];
  return {
    done: [...log.matchAll(/^DONE (.*)$/gm)].map(([, name]) => name),
    readByTerraform: [
      ...(log.includes(`"${CANARY}"`) ? ['file'] : []),
      ...(decoded.includes(CANARY) ? ['environment'] : []),
    ],
    left: [
      ...((await hasSurvivor()) ? ['survivor'] : []),
      ...(await rm(leftFile).then(
        () => ['file'],
        () => [],
      )),
    ],
    isCanaryKept: [CANARY, Buffer.from(CANARY).toString('base64')].some((text) => kept.join().includes(text)),
  };
}

async function readAll(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')));
}

async function showPlan(planFile: string, cwd: string): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '' };
  const shown = await runCommand({ argv: ['terraform', 'show', '-json', planFile], env, cwd });
  expect(shown).toMatchObject({ kind: 'exited', exitCode: 0 });
  return shown.stdout;
}

interface Others extends AsyncDisposable {
  readonly pid: number;
  /** The id of shared memory. */
  readonly memory: string;
  readonly port: number;
}

/** What belongs to others: a key, sockets, shared memory, a process with the key open and a secret in its environment. */
async function openOthers(key: string): Promise<Others> {
  const folder = dirname(key);
  await writeFile(key, CANARY);
  await mkdir('/dev/shm', { recursive: true });
  await writeFile(`/dev/shm/${CANARY}`, CANARY);
  const env = { SECRET: CANARY, PATH: '/usr/bin:/bin' };
  const { stdout } = await runCommand({ argv: ['ipcmk', '-M', '64'], env, cwd: '/' });
  const memory = /\d+/.exec(stdout)?.[0] ?? '';
  await using opened = await open(key);
  const servers = [join(folder, 'socket'), `\0${folder}`, 0].map((place) => createServer().listen(place));
  const other = spawn('sleep', ['4242'], { env, cwd: folder, stdio: ['ignore', opened.fd, 'ignore'] });
  await Promise.all([once(other, 'spawn'), ...servers.map((server) => once(server, 'listening'))]);
  const { port } = servers[2]?.address() as AddressInfo; // It listens on TCP.
  return {
    pid: other.pid ?? 0,
    memory,
    port,
    async [Symbol.asyncDispose]() {
      other.kill();
      for (const server of servers) server.close();
      await runCommand({ argv: ['ipcrm', '-m', memory], env, cwd: '/' });
      await rm(`/dev/shm/${CANARY}`, { force: true });
    },
  };
}
