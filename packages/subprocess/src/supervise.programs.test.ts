import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createOutput, eventually, fixture, gone, patienceUntil, temporaryFolder } from '../fixtures/fixture.ts';
import { StopRequest } from './stop-cause.ts';
import { STOP_PATIENCE } from './stopper.ts';
import { supervise, type SuperviseOptions } from './supervise.ts';

function aCommand(folder: string, program: string, more: Partial<SuperviseOptions> = {}): SuperviseOptions {
  const argv = [program] as const;
  return {
    argv,
    cwd: folder,
    folder,
    name: 'command',
    env: { PATH: '/usr/bin:/bin' },
    onOutput: () => undefined,
    ...more,
  };
}

test('stdout and stderr are delivered in the order in which they came', async () => {
  await using folder = await temporaryFolder();
  const output = createOutput();

  const result = await supervise(
    aCommand(folder.path, 'sh', { argv: ['sh', '-c', 'echo 1; echo 2 >&2; echo 3; exit 2'], ...output }),
  );

  expect(output.text()).toBe('1\n2\n3\n');
  expect(result).toMatchObject({ kind: 'exited', exitCode: 2, outputBytes: 6 });
});

test('output is delivered while the command runs', async () => {
  await using folder = await temporaryFolder();
  const output = createOutput();
  const controller = new AbortController();

  const running = supervise(aCommand(folder.path, fixture('hangs'), { ...output, signal: controller.signal }));

  expect(await output.matching(/started/)).toBeTruthy();
  controller.abort();
  await running;
});

test('the environment is exactly the one given', async () => {
  await using folder = await temporaryFolder();
  const output = createOutput();

  // PWD, SHLVL and _ are added by some shells on systems where /bin/sh is not dash.
  await supervise(aCommand(folder.path, '/usr/bin/env', { ...output, env: { ONLY: 'this' } }));

  expect(output.text().replaceAll(/^(?:PWD|SHLVL|_|OLDPWD)=.*\n/gm, '')).toBe('ONLY=this\n');
});

test('arguments reach the command untouched by any shell', async () => {
  await using folder = await temporaryFolder();
  const output = createOutput();
  const hostile = ['$(id)', '`id`', '; id', '"', "'", '-e', '*', 'a\nb', ''];

  await supervise(aCommand(folder.path, 'printf', { argv: ['/usr/bin/printf', '<%s>', ...hostile], ...output }));

  expect(output.text()).toBe(hostile.map((argument) => `<${argument}>`).join(''));
});

test('bytes that are not UTF-8 are delivered as they are', async () => {
  await using folder = await temporaryFolder();
  const output = createOutput();

  await supervise(aCommand(folder.path, fixture('prints-non-utf8'), output));

  expect(output.bytes()).toEqual(Buffer.from('caf\xe9 \xff\xfe\n', 'latin1'));
});

test('memory stays flat while 100 MB are printed', async () => {
  await using folder = await temporaryFolder();

  const worker = await runWorker(folder.path, fixture('prints-100mb'));

  expect(worker).toMatchObject({ delivered: 104_857_600, result: { kind: 'exited', exitCode: 0 } });
  expect(worker.grownKiB).toBeLessThan(64 * 1024);
});

test('no more is read while onOutput is busy', async () => {
  await using folder = await temporaryFolder();
  let busy = 0;
  let mostBusy = 0;

  const result = await supervise(
    aCommand(folder.path, 'sh', {
      argv: ['sh', '-c', 'yes | head -c 1000000'],
      onOutput: async () => {
        busy += 1;
        mostBusy = Math.max(mostBusy, busy);
        await new Promise(setImmediate);
        busy -= 1;
      },
    }),
  );

  expect(result.outputBytes).toBe(1_000_000);
  expect(mostBusy).toBe(1);
});

test('a receiver that fails is told in the result, and the command goes on to its end', async () => {
  await using folder = await temporaryFolder();
  const failure = new Error('the log is full');

  const result = await supervise(
    aCommand(folder.path, 'sh', {
      argv: ['sh', '-c', 'echo 1; echo 2; exit 4'],
      onOutput: () => {
        throw failure;
      },
    }),
  );

  expect(result).toMatchObject({ kind: 'exited', exitCode: 4, outputError: failure, outputBytes: 4 });
});

test('a name is used once in a folder', async () => {
  await using folder = await temporaryFolder();
  await supervise(aCommand(folder.path, 'true'));

  await expect(supervise(aCommand(folder.path, 'true'))).rejects.toThrow('EEXIST');
});

test('a program that is not there could not start, and leaves nothing', async () => {
  await using folder = await temporaryFolder();

  const result = await supervise(aCommand(folder.path, '/no/such/terraform'));

  expect(result).toMatchObject({ kind: 'could-not-start', why: '/no/such/terraform is not an executable file' });
  expect(await readdir(folder.path)).toEqual([]);
});

test('a command that dies by a signal was killed', async () => {
  await using folder = await temporaryFolder();

  const result = await supervise(aCommand(folder.path, fixture('dies-by-signal')));

  expect(result).toMatchObject({ kind: 'killed', signal: 'SIGTERM' });
});

test('a child that it leaves behind ends with it', async () => {
  await using folder = await temporaryFolder();
  const output = createOutput();

  await supervise(aCommand(folder.path, fixture('leaves-a-child'), output));

  expect(await gone(Number(output.text()))).toBe(true);
});

describe('stopping', () => {
  test.each([
    ['hangs', 'sigint', { exitCode: 1 }],
    ['needs-two-sigints', 'second-sigint', { exitCode: 1 }],
    ['ignores-sigint', 'sigkill', {}],
  ] as const)('%s is stopped by %s', async (program, stoppedBy, status) => {
    await using folder = await temporaryFolder();
    const output = createOutput();
    const controller = new AbortController();
    const { signal } = controller;
    const patience = patienceUntil(stoppedBy);

    const running = supervise(aCommand(folder.path, fixture(program), { ...output, signal, patience }));
    await output.matching(/started/);
    controller.abort(new StopRequest('host-shutting-down'));

    expect(await running).toMatchObject({ kind: 'stopped', cause: 'host-shutting-down', stoppedBy, ...status });
  });

  test('waits only seconds for a command whose slot somebody else has', async () => {
    await using folder = await temporaryFolder();
    const output = createOutput();
    const controller = new AbortController();
    const { signal } = controller;

    const running = supervise(aCommand(folder.path, fixture('ignores-sigint'), { ...output, signal }));
    await output.matching(/started/);
    const since = performance.now();
    controller.abort(new StopRequest('slot-needed'));

    expect(await running).toMatchObject({ kind: 'stopped', cause: 'slot-needed', stoppedBy: 'sigkill' });
    expect(performance.now() - since).toBeLessThan(STOP_PATIENCE.afterSigintMs / 2);
  });

  test('ends the whole group', async () => {
    await using folder = await temporaryFolder();
    const output = createOutput();
    const controller = new AbortController();
    const { signal } = controller;
    const patience = patienceUntil('sigkill');

    const running = supervise(aCommand(folder.path, fixture('forks-children'), { ...output, signal, patience }));
    const [, first, second] = await output.matching(/^(\d+)\n(\d+)\n/);
    controller.abort();
    await running;

    expect(await Promise.all([gone(Number(first)), gone(Number(second))])).toEqual([true, true]);
  });

  test('happens when its time is over', async () => {
    await using folder = await temporaryFolder();
    const patience = patienceUntil('sigkill');

    const result = await supervise(aCommand(folder.path, fixture('hangs'), { timeoutMs: 200, patience }));

    expect(result).toMatchObject({ kind: 'stopped', cause: 'timed-out' });
  });

  test('happens when it says more than the limit', async () => {
    await using folder = await temporaryFolder();
    const patience = patienceUntil('sigint');
    const argv = ['sh', '-c', 'head -c 1500000 /dev/zero; exec sleep 600'] as const;

    const result = await supervise(aCommand(folder.path, 'sh', { argv, outputLimitBytes: 1_000_000, patience }));

    expect(result).toMatchObject({ kind: 'stopped', cause: 'output-limit', signal: 'SIGINT' });
  });

  test('counts what is written, however slowly it is read', async () => {
    await using folder = await temporaryFolder();
    const prints = "(trap '' INT; exec head -c 1000000 /dev/zero)";
    const script = `trap 'touch stopped; exit 3' INT; ${prints}; touch written; while :; do sleep 0.1; done`;
    const argv = ['sh', '-c', script] as const;
    let awaited = ['written', 'stopped'];
    const onOutput = async () => {
      await eventually(awaited.join(' or '), async () =>
        (await readdir(folder.path)).find((name) => awaited.includes(name)),
      );
      awaited = ['stopped'];
    };

    const result = await supervise(aCommand(folder.path, 'sh', { argv, onOutput, outputLimitBytes: 500_000 }));

    expect(result).toMatchObject({ kind: 'stopped', cause: 'output-limit', exitCode: 3, outputBytes: 1_000_000 });
    expect(result.outputError).toBeUndefined();
  });

  test('without a cause in the reason means that somebody cancelled', async () => {
    await using folder = await temporaryFolder();

    const result = await supervise(aCommand(folder.path, 'true', { signal: AbortSignal.abort() }));

    expect(result).toMatchObject({ kind: 'stopped', cause: 'cancelled', stoppedBy: 'before-start' });
  });
});

interface Worker {
  readonly delivered: number;
  readonly grownKiB: number;
}

async function runWorker(folder: string, ...command: readonly string[]): Promise<Worker> {
  const worker = spawn(process.execPath, [fixture('supervises.ts'), folder, ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  worker.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(worker, 'close');
  // The fixture's own output, whose shape stands in its last line.
  return JSON.parse(said) as Worker;
}

test('a command that empties the file of its output loses nothing of its later output, and the output says so', async () => {
  await using folder = await temporaryFolder();
  const output = createOutput();
  const more = join(folder.path, 'more');
  const script = `echo before; while [ ! -e ${more} ]; do :; done; : > /proc/self/fd/1; echo after`;

  const running = supervise({
    argv: ['sh', '-c', script],
    env: { PATH: '/usr/bin:/bin' },
    cwd: folder.path,
    folder: folder.path,
    name: 'command',
    ...output,
  });
  await output.matching(/before/);
  await writeFile(more, '');

  expect(await running).toMatchObject({ kind: 'exited', exitCode: 0 });
  expect(output.text()).toBe('before\n\nThe output was cut by the command itself.\nafter\n');
});
