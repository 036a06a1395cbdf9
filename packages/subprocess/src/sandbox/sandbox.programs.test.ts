import { once } from 'node:events';
import { mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createOutput, eventually, fixture, patienceUntil, temporaryFolder } from '../../fixtures/fixture.ts';
import { aSandbox } from '../../fixtures/sandbox.ts';
import { attach } from '../attach.ts';
import { commandFiles, runningCommands } from '../command-files.ts';
import { runCommand } from '../run-command.ts';
import { supervise, type SuperviseOptions } from '../supervise.ts';
import type { Sandbox } from './sandbox.ts';
import { whyNoSandbox } from '../why-no-sandbox.ts';

interface Place extends AsyncDisposable {
  /** Holds the files of commands; no command sees it. */
  readonly path: string;
  /** The working directory of commands, which they may change. */
  readonly tree: string;
}

async function aPlace(): Promise<Place> {
  const folder = await temporaryFolder();
  const tree = join(folder.path, 'tree');
  await mkdir(tree);
  return { path: folder.path, tree, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

function aCommand(place: Place, argv: SuperviseOptions['argv'], more: Partial<SuperviseOptions> = {}) {
  const sandbox = aSandbox({ path: place.tree, access: 'write' });
  const env = { PATH: '/usr/bin:/bin' };
  return {
    argv,
    cwd: place.tree,
    folder: place.path,
    name: 'command',
    env,
    sandbox,
    onOutput: () => undefined,
    ...more,
  };
}

/** The process that writes what a command prints. */
async function writerOf(file: string): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const isWriter = async (pid: string) =>
    (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')) === 'cat\n' &&
    (await readlink(`/proc/${pid}/fd/1`).catch(() => '')) === file;
  return eventually('the output has a writer', async () => {
    for (const pid of pids) if (await isWriter(pid)) return Number(pid);
    return undefined;
  });
}

function aScript(place: Place, script: string, more: Partial<SuperviseOptions> = {}) {
  return aCommand(place, ['sh', '-c', script], more);
}

test('there is none where a program is missing without which logs would be lost', async () => {
  expect(await whyNoSandbox(aSandbox())).toBeUndefined();
  expect(await whyNoSandbox(aSandbox(), ['/nowhere/setsid'])).toBe(
    '/nowhere/setsid is not an executable file; it writes the logs of sandboxes, install it there',
  );
});

describe('files', () => {
  test('are those that it was given; only what is writable can be changed', async () => {
    await using place = await aPlace();
    const [secret, given] = [join(place.path, 'secret'), join(place.path, 'given')];
    await Promise.all([writeFile(secret, 'the secret'), writeFile(given, 'as given')]);
    const output = createOutput();
    const script = `cat ${secret}; cat ${given}; echo changed > ${given}; rm ${given}; touch /new; echo made > made`;
    const sandbox = aSandbox({ path: place.tree, access: 'write' }, { path: given, access: 'read' });

    await supervise(aScript(place, script, { ...output, sandbox }));

    expect(output.text()).toContain('as given');
    expect(output.text()).not.toContain('the secret');
    expect(output.text()).toContain('/new');
    expect(await readFile(given, 'utf8')).toBe('as given');
    expect(await readFile(join(place.tree, 'made'), 'utf8')).toBe('made\n');
  });

  test('can have another path in the sandbox', async () => {
    await using place = await aPlace();
    const own = join(place.path, 'own');
    await mkdir(own);
    const sandbox = aSandbox({ path: own, at: '/tmp', access: 'write' }, { path: place.tree, access: 'write' });

    await supervise(aScript(place, 'echo here > /tmp/note', { sandbox }));

    expect(await readFile(join(own, 'note'), 'utf8')).toBe('here\n');
  });

  test('of its own supervision are out of its reach', async () => {
    await using place = await aPlace();
    const output = createOutput();

    await supervise(aScript(place, `ls ${place.path}; ls -l /proc/self/fd`, output));

    expect(output.text()).not.toContain('.process');
    expect(output.text()).not.toContain('.sandbox');
  });
});

describe('the kernel', () => {
  test('is told nothing: no file of /proc can be opened for writing, not even by root', async () => {
    await using place = await aPlace();
    const output = createOutput();
    const script = 'find /proc -type f -writable; : >> /proc/sys/kernel/core_pattern';

    await supervise(aScript(place, `(${script}) 2>&1 | grep -v "No such file"`, { ...output, timeoutMs: 60_000 }));

    expect(output.text()).toMatch(/^.* cannot create \/proc\/sys\/kernel\/core_pattern: Read-only file system\n$/);
  });

  test('gives it no other /proc to write to, and no namespaces of its own for one', async () => {
    await using place = await aPlace();
    const output = createOutput();
    const mounted = `libc.mount(b'proc', b'own', b'proc', 0, None) == 0 and os.access('own/sys/kernel/core_pattern', os.W_OK)`;
    const program = `
import ctypes, os
libc = ctypes.CDLL(None)
os.mkdir('own')
alone = libc.unshare(${0x10000000 + 0x20000000 + 0x20000}) # CLONE_NEWUSER, CLONE_NEWPID and CLONE_NEWNS
if os.fork() == 0: print(alone, ${mounted})
else: os.wait()`;

    await supervise(aCommand(place, ['/usr/bin/python3', '-c', program], output));

    expect(output.text()).toBe('-1 False\n');
  });
});

describe('processes', () => {
  test('are its own: it neither sees nor signals others', async () => {
    await using place = await aPlace();
    const output = createOutput();
    const script = `cat /proc/[0-9]*/environ | tr '\\0' '\\n'; kill -9 ${process.pid}; kill -9 -1; kill -9 0; echo $?`;

    const result = await supervise(
      aScript(place, `(${script}); exit 3`, { ...output, env: { PATH: '/usr/bin:/bin' } }),
    );

    expect(output.text()).toContain('PATH=/usr/bin:/bin');
    expect(output.text()).not.toContain('npm_');
    expect(output.text()).toMatch(/no such process/i);
    expect(result).toMatchObject({ kind: 'killed', signal: 'SIGKILL' });
  });

  test('end with it, in a session of their own or not', async () => {
    await using place = await aPlace();
    const script = 'setsid sh -c "while :; do date > alive; sleep 0.01; done" & while [ ! -e alive ]; do :; done';

    const result = await supervise(aScript(place, script));
    await writeFile(join(place.tree, 'alive'), 'nobody is left');
    await sleep(100);

    expect(await readFile(join(place.tree, 'alive'), 'utf8')).toBe('nobody is left');
    expect(result).toMatchObject({ kind: 'exited', exitCode: 0 });
  });
});

test.each(['host', 'none'] as const)('with the network "%s", this machine is reached accordingly', async (network) => {
  await using place = await aPlace();
  const server = createServer((socket) => socket.end('reached\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  const output = createOutput();
  const sandbox: Sandbox = { ...aSandbox({ path: place.tree, access: 'write' }), network };
  const program = `import socket; print(socket.create_connection(('127.0.0.1', ${port})).recv(9))`;

  await supervise(aCommand(place, ['/usr/bin/python3', '-c', program], { ...output, sandbox }));
  server.close();

  expect(output.text().includes('reached')).toBe(network === 'host');
});

test('the exit code is that of the command', async () => {
  await using place = await aPlace();

  expect(await supervise(aScript(place, 'exit 2'))).toMatchObject({ kind: 'exited', exitCode: 2 });
});

test('the exit code cannot be forged by the command, whatever descriptor it writes to', async () => {
  await using place = await aPlace();
  const forge = `printf '{ "exit-code": 0 }\\n0\\n'`;

  const result = await supervise(aScript(place, `for to in /proc/[0-9]*/fd/[0-9]; do ${forge} >> $to; done; exit 2`));

  expect(result).toMatchObject({ kind: 'exited', exitCode: 2 });
  expect(await readFile(commandFiles(place.path, 'command').sandbox, 'utf8')).not.toContain('"exit-code": 0');
});

test('a sandbox that cannot be made could not start, whatever the exit code of bubblewrap', async () => {
  await using place = await aPlace();
  const sandbox = aSandbox({ path: join(place.path, 'absent'), access: 'read' });

  const result = await supervise(aScript(place, 'exit 2', { sandbox }));

  const why = `its sandbox could not be made: bwrap: Can't find source path ${place.path}/absent: No such file or directory`;
  expect(result).toMatchObject({ kind: 'could-not-start', why });
  const again = await attach({ folder: place.path, name: 'command', onOutput: () => undefined });
  expect(again).toMatchObject({ kind: 'could-not-start', why });
});

test('a command that may have begun is lost, not "could not start", when bubblewrap fails without a report', async () => {
  await using place = await aPlace();
  const files = commandFiles(place.path, 'command');
  await writeFile(files.output, 'Apply complete!\n');
  await writeFile(files.process, '1\na boot before this one\n');
  await writeFile(files.sandbox, '{ "child-pid": 1, "pid-namespace": 1 }\n{ "ready": true }\n');
  await writeFile(files.exit, '1\n');

  const result = await attach({ folder: place.path, name: 'command', onOutput: () => undefined });

  expect(result).toMatchObject({ kind: 'lost' });
});

describe('the output', () => {
  const program = (change: string) => `
import fcntl, os
os.write(1, b'first ')
while not os.path.exists('go'): pass
${change}
os.write(1, b'last')`;

  test.each([
    [
      'emptied',
      `try: open('/proc/self/fd/1', 'w').truncate(0)
except OSError: pass`,
    ],
    [
      'overwritten',
      `fcntl.fcntl(1, fcntl.F_SETFL, fcntl.fcntl(1, fcntl.F_GETFL) & ~os.O_APPEND)
try: os.pwrite(1, b'wrong', 0)
except OSError: pass`,
    ],
  ])('cannot be %s by the command', async (_, change) => {
    await using place = await aPlace();
    const output = createOutput();
    const running = supervise(aCommand(place, ['/usr/bin/python3', '-c', program(change)], output));
    await output.matching(/first/);
    await writeFile(join(place.tree, 'go'), '');

    expect(await running).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(output.text()).toBe('first last');
    expect(await readFile(commandFiles(place.path, 'command').output, 'utf8')).toBe('first last');
  });

  test('is there to its last byte when the command ends', async () => {
    await using place = await aPlace();

    const result = await supervise(aScript(place, 'head -c 5000000 /dev/zero; exit 2'));

    expect(result).toMatchObject({ kind: 'exited', exitCode: 2, outputBytes: 5_000_000 });
  });

  test('that cannot be written any more, as on a full disk, does not end the command', async () => {
    await using place = await aPlace();
    const output = createOutput();
    const script = 'echo started; while [ ! -e go ]; do :; done; head -c 500000 /dev/zero && exit 2';
    const running = supervise(aScript(place, script, output));
    await output.matching(/started/);

    process.kill(await writerOf(commandFiles(place.path, 'command').output), 'SIGKILL');
    await writeFile(join(place.tree, 'go'), '');

    expect(await running).toMatchObject({ kind: 'exited', exitCode: 2 });
  });
});

test.each([
  ['ptrace', 'ptrace(0x4206, 1, 0, 0)'], // PTRACE_SEIZE of the first process.
  ['process_vm_writev', 'process_vm_writev(1, None, 0, None, 0, 0)'],
  ['pidfd_getfd', 'syscall(438, -1, 0, 0)'],
])('a command cannot change what another process inside does: %s is refused', async (_, call) => {
  await using place = await aPlace();
  const output = createOutput();
  const program = `import ctypes, os; libc = ctypes.CDLL(None, use_errno=True); print(libc.${call}, os.strerror(ctypes.get_errno()))`;

  await supervise(aCommand(place, ['/usr/bin/python3', '-c', program], output));

  expect(output.text()).toBe('-1 Operation not permitted\n');
});

test('limits are those that it was given, and cannot be raised', async () => {
  await using place = await aPlace();
  const output = createOutput();
  const limits = { processes: 100, openFiles: 64, fileBytes: 1024 };
  const sandbox = { ...aSandbox({ path: place.tree, access: 'write' }), limits };
  const script = `
prlimit --nproc --nofile --output HARD --noheadings
head -c 2000 /dev/zero > large; wc -c < large
for limit in nofile=65 fsize=unlimited; do prlimit --$limit true && echo raised; done`;

  await supervise(aScript(place, `(${script}) 2>/dev/null`, { ...output, sandbox }));

  expect(output.text().split(/\s+/).filter(Boolean)).toEqual(['100', '64', '1024']);
});

describe('stopping', () => {
  test.each([
    ['hangs', 'sigint', { exitCode: 1 }],
    ['needs-two-sigints', 'second-sigint', { exitCode: 1 }],
    ['ignores-sigint', 'sigkill', { signal: 'SIGKILL' }],
  ] as const)('%s is stopped by %s', async (program, stoppedBy, status) => {
    await using place = await aPlace();
    const output = createOutput();
    const controller = new AbortController();
    const { signal } = controller;
    const patience = patienceUntil(stoppedBy);

    const running = supervise(aCommand(place, [fixture(program)], { ...output, signal, patience }));
    await output.matching(/started/);
    controller.abort();

    expect(await running).toMatchObject({ kind: 'stopped', cause: 'cancelled', stoppedBy, ...status });
  });

  test('reaches a command whose sandbox is still being made', async () => {
    await using place = await aPlace();

    const patience = patienceUntil('sigint');
    const result = await supervise(aCommand(place, ['sleep', '300'], { timeoutMs: 1, patience }));

    expect(result).toMatchObject({ kind: 'stopped', cause: 'timed-out', stoppedBy: 'sigint' });
  });

  test('reaches a command that an earlier process started', async () => {
    await using place = await aPlace();
    const started = supervise(aCommand(place, [fixture('hangs')]));
    const output = createOutput();
    const controller = new AbortController();
    const { signal } = controller;
    const patience = patienceUntil('sigint');

    const attached = attach({ folder: place.path, name: 'command', ...output, signal, patience });
    await output.matching(/started/);
    controller.abort();

    expect(await attached).toMatchObject({ kind: 'stopped', stoppedBy: 'sigint', exitCode: 1 });
    expect(await started).toMatchObject({ kind: 'exited', exitCode: 1 });
  });
});

test('a command whose bubblewrap was killed goes on, is followed to its end, and counts as lost', async () => {
  await using place = await aPlace();
  const output = createOutput();
  const script = 'echo started; while [ ! -e seen ]; do sleep 0.05; done; echo ended';
  const running = supervise(aScript(place, script, output));
  await output.matching(/started/);

  process.kill(
    -Number(/^\d+/.exec(await readFile(commandFiles(place.path, 'command').process, 'utf8'))?.[0]),
    'SIGKILL',
  );
  const stillRuns = await runningCommands(place.path);
  await writeFile(join(place.tree, 'seen'), '');

  expect(stillRuns).toEqual(['command']);
  expect(await running).toMatchObject({ kind: 'lost' });
  expect(output.text()).toBe('started\nended\n');
});

describe('a captured command', () => {
  test('has its output apart from its errors', async () => {
    await using place = await aPlace();

    const result = await runCommand(aScript(place, 'echo out; echo err >&2; exit 4'));

    expect(result).toMatchObject({ kind: 'exited', exitCode: 4, stdout: 'out\n', stderr: 'err\n' });
  });

  test('ends at once when it is stopped, with all that it started', async () => {
    await using place = await aPlace();
    const controller = new AbortController();
    const { signal } = controller;
    const patience = patienceUntil('sigint');

    const running = runCommand(aScript(place, 'echo $$; touch started; sleep 60 & wait', { signal, patience }));
    await eventually('it runs', () =>
      readFile(join(place.tree, 'started')).then(
        () => true,
        () => undefined,
      ),
    );
    controller.abort();

    expect(await running).toMatchObject({ kind: 'stopped', stoppedBy: 'sigint' });
  });
});
