/** What code of a root can reach. Each attempt succeeds without a sandbox, so that none of them is refused by accident. */
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startTestHosts, type TestHosts } from './testing/test-hosts.ts';

const CANARY = 'canary-5f3a9c';

/**
 * Shell conditions, with `$FOREIGN`, a folder that no root owns, `$TOP`, the folder of everything that belongs to the host, and
 * `$OTHER`, a process of the worker's user.
 */
const ATTEMPTS: Readonly<Record<string, string>> = {
  'read a key': `grep ${CANARY} "$FOREIGN/key"`,
  'read a key through a link': `ln -s "$FOREIGN/key" link && grep ${CANARY} link`,
  'read a key through another name': `ln "$FOREIGN/key" name && grep ${CANARY} name`,
  'read a key by its descriptor in another process': `grep ${CANARY} /proc/$OTHER/root$FOREIGN/key`,
  'change a key': 'echo changed >> "$FOREIGN/changed"',
  'read a temporary file': `grep ${CANARY} "$FOREIGN"/../*/key`,
  'read shared memory': `grep ${CANARY} /dev/shm/${CANARY}`,
  'read the home of the user': '[ "$(ls -A "$(getent passwd "$(id -u)" | cut -d: -f6)")" ]',
  'read the storage': '[ "$(ls "$TOP/storage")" ]',
  'read the data of the host': '[ "$(ls "$TOP/h1")" ]',
  'read the mirror': '[ "$(ls "$TOP"/data/mirrors)" ] || [ "$(ls "$TOP"/h1/mirrors)" ]',
  'read the mirror with git': 'git rev-parse HEAD',
  'change the settings of the mirror': 'git config nereid.canary changed',
  'change the link to the mirror': 'cp .git copy && echo "# changed" >> .git && cp copy .git',
  'see the trees of others': '[ "$(ls "$TOP/work" | wc -l)" -gt 1 ]',
  'see the files of its own supervision': 'ls "$TOP/work/"*/*/*.process',
  'change the program': '[ -w "$(command -v terraform)" ]',
  'see other processes': 'ps -e -o args | grep -v grep | grep "sleep 4242"',
  'read the environment of others': `cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -v COMMAND | grep "^SECRET=${CANARY}"`,
  'read the memory map of others': 'cat /proc/$OTHER/maps',
  'signal others': 'kill -0 $OTHER',
  'speak to a socket': `python3 -c "import socket; socket.socket(socket.AF_UNIX).connect('$FOREIGN/socket')"`,
};

let hosts: TestHosts;
let foreign: string;

beforeEach(async () => {
  hosts = await startTestHosts();
  foreign = await mkdtemp(join(tmpdir(), 'nereid-foreign-'));
});

afterEach(async () => {
  await hosts.close();
  await rm(foreign, { recursive: true, force: true });
});

test('without a sandbox, code of a root reaches all that the worker reaches, but not its credentials for git', async () => {
  expect(await steal('none')).toEqual({ done: Object.keys(ATTEMPTS), isStolenByTerraform: true, hasSurvivor: true });
});

test('in its sandbox, code of a root reaches nothing that is not its own', async () => {
  expect(await steal('bubblewrap')).toEqual({ done: [], isStolenByTerraform: false, hasSurvivor: false });
});

interface Stolen {
  /** The attempts that succeeded in a step of the root. */
  readonly done: readonly (string | undefined)[];
  /** Whether an expression in its code read a key. */
  readonly isStolenByTerraform: boolean;
  /** Whether a process that it started in a session of its own outlived its step. */
  readonly hasSurvivor: boolean;
}

async function steal(sandbox: 'bubblewrap' | 'none'): Promise<Stolen> {
  const key = join(foreign, 'key');
  await using others = await openOthers(key);
  const files = {
    'main.tf': `terraform {\n  backend "local" {}\n}\noutput "stolen" { value = try(file("${key}"), "nothing") }\n`,
  };
  const host = hosts.openHost({ sandbox });
  const another = await hosts.deploy(files);
  await host.plan(another);
  const top = dirname(dirname(dirname(hosts.treeOf(another))));
  const attempts = Object.entries(ATTEMPTS).map(([name, condition]) => `if ${condition}; then echo "DONE ${name}"; fi`);
  const run = `
export FOREIGN=${foreign} TOP=${top} OTHER=${others.pid}
(${attempts.join('\n')}) 2>/dev/null
env | grep GIT_CONFIG_VALUE && echo 'DONE see the credentials for git'
setsid sh -c 'sleep 1; echo > ${hosts.stateDir}/survivor' & sleep 0.2`;

  const job = await hosts.deploy(files, { plan: [{ kind: 'run', run }] });
  const plan = await host.plan(job);
  const log = await hosts.readLog(job);
  await sleep(1_500);

  expect(plan).toMatchObject({ kind: 'planned', hasChanges: true });
  return {
    done: [...log.matchAll(/^DONE (.*)$/gm)].map(([, name]) => name),
    isStolenByTerraform: log.includes(`"${CANARY}"`),
    hasSurvivor: (await readdir(hosts.stateDir)).includes('survivor'),
  };
}

interface Others extends AsyncDisposable {
  readonly pid: number;
}

/** What belongs to others: a key, a socket, shared memory, a process with a secret in its environment. */
async function openOthers(key: string): Promise<Others> {
  await writeFile(key, CANARY);
  await mkdir('/dev/shm', { recursive: true });
  await writeFile(`/dev/shm/${CANARY}`, CANARY);
  const server = createServer().listen(join(dirname(key), 'socket'));
  const other = spawn('sleep', ['4242'], { env: { SECRET: CANARY, PATH: '/usr/bin:/bin' } });
  await Promise.all([once(server, 'listening'), once(other, 'spawn')]);
  return {
    pid: other.pid ?? 0,
    async [Symbol.asyncDispose]() {
      other.kill();
      server.close();
      await rm(`/dev/shm/${CANARY}`, { force: true });
    },
  };
}
