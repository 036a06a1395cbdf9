/** Runs init.sh as the first process of a namespace of processes, as a container has one: when it ends, all end. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const DEPLOYMENT = '11111111-2222-4333-8444-555555555555';
const JOB = `jobs/${DEPLOYMENT}-apply-1`;
const INIT = path.join(import.meta.dirname, 'init.sh');
const APPLIES = path.join(import.meta.dirname, 'fixtures/applies.ts');

/** A loaded machine takes seconds to start node; only what hangs takes minutes. */
const DEADLINE_MS = 120_000;

let containers: Container[] = [];

afterEach(async () => {
  await Promise.all(containers.map((container) => container[Symbol.asyncDispose]()));
  containers = [];
});

describe('while an apply runs', () => {
  test('node that dies alone is started again, and tells how the apply ended', async () => {
    const container = await applying();

    container.killWorker();
    await container.says('follows');
    await container.letEnd();
    await container.says('the apply exited');

    expect(await container.ledger()).toEqual(['begun', 'ended']);
    expect(container.warnings()).toEqual([
      expect.objectContaining({
        level: 40,
        app: 'worker',
        exitCode: 137,
        deployments: [DEPLOYMENT],
        msg: 'the worker ended while it applied; it is started again',
      }),
    ]);
    expect(await container.stop('SIGTERM')).toBe(0);
  });

  test('node that dies while it stops is not, and the container stays until the apply is over', async () => {
    const container = await applying({ deaf: '' });

    container.send('SIGTERM');
    await container.says('got SIGTERM');
    container.killWorker();
    await container.says('the worker ended while it stopped');
    await container.letEnd();

    expect(await container.ended).toBe(137);
    expect(await container.ledger()).toEqual(['begun', 'ended']);
    expect(container.output()).not.toContain('follows');
  });

  test('node that ends again and again is given up, and the container stays until the apply is over', async () => {
    const container = await applying({ 'ends-with': '2' }, { limit: 2 });

    container.killWorker();
    await container.says('the worker ends again and again');
    await container.letEnd();

    expect(await container.ended).toBe(2);
    expect(await container.ledger()).toEqual(['begun', 'ended']);
    expect(container.warnings().map(({ exitCode }) => exitCode)).toEqual([137, 2, 2]);
  });
});

describe('without an apply', () => {
  test.each([0, 2, 137])('the container ends with the exit code %d of its command', async (code) => {
    const script = code < 128 ? `process.exit(${code})` : 'process.kill(process.pid, "SIGKILL")';
    const container = await start([process.execPath, '--eval', script]);

    expect(await container.ended).toBe(code);
    expect(container.output()).toBe('');
  });

  test('node that dies after its apply is not started again', async () => {
    const container = await applying();
    await container.letEnd();
    await container.says('the apply exited');

    container.killWorker();

    expect(await container.ended).toBe(137);
    expect(container.warnings()).toEqual([]);
  });

  // The record of the first process itself, which runs: for another reason each, it is not that of an apply.
  test.each([
    ['in a working tree', 'tree', '"$(cat /proc/sys/kernel/random/boot_id)" "$(cat /proc/1/stat)"'],
    ['from before the machine started', JOB, '"another boot" "$(cat /proc/1/stat)"'],
    ['of a process that is gone', JOB, '"$(cat /proc/sys/kernel/random/boot_id)" "1 (sh) S 0"'],
  ])('a record %s holds nothing up', async (_, folder, rest) => {
    const record = `"$WORK_DIR/${DEPLOYMENT}/${folder}/apply.process"`;
    const script = `mkdir -p "$(dirname ${record})"; printf '%s\\n' 1 ${rest} >${record}; exit 3`;
    const container = await start(['/bin/sh', '-c', script]);

    expect(await container.ended).toBe(3);
    expect(container.output()).toBe('');
  });
});

describe('a signal', () => {
  test('to stop reaches node once, however often it comes', async () => {
    const container = await applying({ deaf: '' });

    for (let times = 0; times < 3; times += 1) container.send('SIGTERM');
    // Signals of one kind that wait are one; this one comes after all of them.
    container.send('SIGHUP');
    await container.says('got SIGHUP');
    container.send('SIGTERM');
    container.send('SIGHUP');
    await container.says('got SIGHUP', 2);

    expect(container.output().match(/got SIGTERM/g)).toHaveLength(1);
  });

  test('that stops node ends the container with its exit code', async () => {
    const container = await start([
      process.execPath,
      '--eval',
      'process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1e6); console.log("here")',
    ]);
    await container.says('here');

    expect(await container.stop('SIGTERM')).toBe(7);
  });
});

test('processes whose parent is gone are collected', async () => {
  const orphans =
    'for (let i = 0; i < 20; i += 1) require("child_process").spawnSync("sh", ["-c", "sleep 0.01 & exit"])';
  const zombies = `require("fs").readdirSync("/proc").filter((pid) => /^\\d+$/.test(pid)).filter((pid) => { try { return / [ZX] /.test(require("fs").readFileSync("/proc/" + pid + "/stat", "utf8")) } catch { return false } }).length`;
  const container = await start([
    process.execPath,
    '--eval',
    `${orphans}; const look = () => ${zombies} === 0 ? console.log("none is left") : setTimeout(look, 20); look()`,
  ]);

  await container.says('none is left');

  expect(await container.ended).toBe(0);
});

test('what a command reads from standard input is passed on', async () => {
  const container = await start(['cat']);

  container.write('read me');

  await container.says('read me');
  expect(await container.ended).toBe(0);
});

test('the work folder is by default that of the worker', async () => {
  const [init, config] = await Promise.all([
    readFile(INIT, 'utf8'),
    readFile(path.join(import.meta.dirname, '../platform/config/config.ts'), 'utf8'),
  ]);

  const [, ofWorker = ''] = /env\.path\('WORK_DIR'\)\.default\('(.*)'\)/.exec(config) ?? [];
  expect(ofWorker).not.toBe('');
  expect(init).toContain(`work=\${WORK_DIR:-${ofWorker}}\n`);
});

interface Container extends AsyncDisposable {
  /** The exit code of the first process. */
  readonly ended: Promise<number>;
  output(): string;
  /** Lines of the first process's own. */
  warnings(): readonly Readonly<Record<string, unknown>>[];
  says(words: string, times?: number): Promise<void>;
  /** To the first process. */
  send(signal: NodeJS.Signals): void;
  stop(signal: NodeJS.Signals): Promise<number>;
  write(input: string): void;
  /** Sends SIGKILL to node alone. */
  killWorker(): void;
  letEnd(): Promise<void>;
  ledger(): Promise<readonly string[]>;
}

interface StartOptions {
  /** By their paths in the container's folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Values of constants at the top of init.sh, in place of those of production. */
  readonly constants?: Readonly<Record<string, number>>;
}

/** A container whose worker has begun an apply. */
async function applying(files: StartOptions['files'] = {}, constants: StartOptions['constants'] = {}) {
  const container = await start(
    (folder) => [process.execPath, APPLIES, folder, path.join(folder, 'work', DEPLOYMENT, JOB)],
    { files, constants: { first_pause: 0, look_every: 0.05, ...constants } },
  );
  await container.says('applies');
  await eventually('the apply to begin', async () => (await container.ledger()).includes('begun'));
  return container;
}

type Argv = readonly string[] | ((folder: string) => readonly string[]);

async function start(argv: Argv, { files = {}, constants = {} }: StartOptions = {}): Promise<Container> {
  const folder = await mkdtemp(path.join(tmpdir(), 'nereid-container-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  const init = await initWith(constants, folder);
  const command = typeof argv === 'function' ? argv(folder) : argv;
  // Root there is the user of this process outside, so that anybody can make the namespaces.
  const namespaces = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc', '--kill-child'];
  const outer = spawn('/usr/bin/unshare', [...namespaces, '/bin/sh', init, ...command], {
    env: { PATH: '/usr/bin:/bin', WORK_DIR: path.join(folder, 'work') },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const container = containerOf(outer, folder);
  containers.push(container);
  return container;
}

function containerOf(outer: ChildProcess, folder: string): Container {
  let output = '';
  for (const stream of [outer.stdout, outer.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(outer, 'close').then(([code]) => Number(code));
  const linesOf = async (name: string) => {
    const text = await readFile(path.join(folder, name), 'utf8').catch(() => '');
    return text.split('\n').filter(Boolean);
  };
  const container: Container = {
    ended,
    output: () => output,
    warnings: () =>
      output
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    says: (words, times = 1) =>
      eventually(
        `"${words}"`,
        () => output.split(words).length > times,
        () => output,
      ),
    send: (signal) => process.kill(firstOf(outer), signal),
    stop: (signal) => {
      container.send(signal);
      return ended;
    },
    write: (input) => outer.stdin?.end(input),
    killWorker() {
      const [worker = 0] = childrenOf(firstOf(outer));
      process.kill(worker, 'SIGKILL');
    },
    letEnd: () => writeFile(path.join(folder, 'let-end'), ''),
    ledger: () => linesOf('ledger'),
    async [Symbol.asyncDispose]() {
      outer.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return container;
}

/** The path of a copy of init.sh whose constants are these. */
async function initWith(constants: Readonly<Record<string, number>>, folder: string): Promise<string> {
  let text = await readFile(INIT, 'utf8');
  for (const [name, value] of Object.entries(constants)) {
    expect(text).toMatch(new RegExp(`^${name}=`, 'm'));
    text = text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`);
  }
  const file = path.join(folder, 'init.sh');
  await writeFile(file, text);
  return file;
}

/** The first process of the namespace, which is the only child of the program that made it. */
function firstOf({ pid = 0 }: ChildProcess): number {
  const [first] = childrenOf(pid);
  if (first === undefined) throw new Error(`expected a child of ${pid}, found none`);
  return first;
}

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

async function eventually(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  found: () => string = () => 'nothing of the kind',
): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`expected ${what}, found ${found()}`);
    await sleep(10);
  }
}
