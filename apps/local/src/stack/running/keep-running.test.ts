import { expect, test } from '@jest/globals';
import type { Ending } from '@nereid/test-kit';
import { keepRunning, ProcessEndedError, type Running } from './keep-running.ts';

const KILLED: Ending = { kind: 'killed', signal: 'SIGKILL' };

test('what ends by itself is said, with its log, and started again', async () => {
  const program = aProgram();
  const kept = await keepRunning({ ...program.options, restarts: 3 });

  program.end(0, KILLED);
  await program.hasSaid('worker: ready again');

  expect(program.said()).toEqual([
    '✗ worker was killed by SIGKILL; its log is /logs/worker.log',
    'worker: starting it again (1 of at most 3 times within a minute)',
    'worker: ready again',
  ]);
  await kept.stop();
  expect(program.stopped()).toEqual([1]);
});

test('what is killed on purpose is started again, and then it is that one which is killed', async () => {
  const program = aProgram();
  const kept = await keepRunning({ ...program.options, restarts: 3 });

  await kept.kill();
  await program.hasSaid('worker: starting it again (1 of at most 3 times within a minute)');
  await kept.kill();
  await program.hasSaid('worker: starting it again (2 of at most 3 times within a minute)');

  await kept.stop();
});

test('what is restarted ends gracefully, and is started again', async () => {
  const program = aProgram();
  const kept = await keepRunning({ ...program.options, restarts: 3 });

  await kept.restart();

  expect(program.stopped()).toEqual([0]);
  expect(program.said()).toContain('worker: ready again');
  await kept.stop();
});

test('what is held down stays away until it is let up, or all is stopped', async () => {
  const program = aProgram();
  const kept = await keepRunning({ ...program.options, restarts: 3 });

  await kept.holdDown();
  await new Promise(setImmediate);
  expect(program.said()).toEqual([]);
  await kept.letUp();
  expect(program.said()).toContain('worker: ready again');

  await kept.holdDown();
  await kept.stop();
});

test('what ends again and again is given up', async () => {
  const program = aProgram();
  const kept = await keepRunning({ ...program.options, restarts: 1 });

  program.end(0, KILLED);
  await program.hasSaid('worker: ready again');
  program.end(1, { kind: 'exited', exitCode: 3 });

  await expect(kept.broken).rejects.toThrow(ProcessEndedError);
  await expect(kept.broken).rejects.toThrow(
    'worker ended with exit code 3, after 1 restart within a minute; its log is /logs/worker.log',
  );
});

test('what may not be started again breaks when it ends', async () => {
  const program = aProgram();
  const kept = await keepRunning({ ...program.options, restarts: 0 });

  program.end(0, KILLED);

  await expect(kept.broken).rejects.toThrow('worker was killed by SIGKILL; its log is /logs/worker.log');
});

test('what is stopped is not started again', async () => {
  const program = aProgram();
  const kept = await keepRunning({ ...program.options, restarts: 3 });

  await kept.stop();

  expect(program.said()).toEqual([]);
  expect(program.stopped()).toEqual([0]);
});

test('what cannot be started again breaks', async () => {
  const program = aProgram({ startsUpTo: 1 });
  const kept = await keepRunning({ ...program.options, restarts: 3 });

  program.end(0, KILLED);

  await expect(kept.broken).rejects.toThrow('the port is taken');
});

/** A program that ends when the test says so. Its runs are numbered from 0. */
function aProgram({ startsUpTo = 10 } = {}) {
  const runs: PromiseWithResolvers<Ending>[] = [];
  const lines: string[] = [];
  const stoppedRuns: number[] = [];
  const start = (): Promise<Running> => {
    if (runs.length === startsUpTo) return Promise.reject(new Error('the port is taken'));
    const run = Promise.withResolvers<Ending>();
    const number = runs.push(run) - 1;
    const stop = () => {
      stoppedRuns.push(number);
      run.resolve({ kind: 'exited', exitCode: 0 });
      return Promise.resolve();
    };
    const kill = () => {
      run.resolve(KILLED);
      return Promise.resolve();
    };
    return Promise.resolve({ ended: run.promise, stop, kill });
  };
  const report = (line: string) => void lines.push(line);
  return {
    options: { name: 'worker', logFile: '/logs/worker.log', report, start },
    end: (run: number, ending: Ending) => runs[run]?.resolve(ending),
    said: () => lines,
    stopped: () => stoppedRuns,
    hasSaid: async (line: string) => {
      while (!lines.includes(line)) await Promise.resolve();
    },
  };
}
