import { expect, test } from '@jest/globals';
import { stopInPhases, type RunningWorker } from './stop-in-phases.ts';

function aWorker(name: string, happened: string[], fails = false): RunningWorker {
  const { promise: run, resolve, reject } = Promise.withResolvers<undefined>();
  const shutdown = () => {
    happened.push(`${name} is asked to stop`);
    setImmediate(() => {
      happened.push(`${name} stopped`);
      if (fails) reject(new Error('broken'));
      else resolve(undefined);
    });
  };
  return { worker: { shutdown }, run };
}

test('control stops once the host has stopped, even if that failed, and the ends of its jobs are shown', async () => {
  const happened: string[] = [];
  const host = [aWorker('claims', happened), aWorker('host', happened, true)];
  const control = [aWorker('control', happened)];

  await stopInPhases({
    host,
    control,
    hostStopped: () => Promise.resolve(void happened.push('the ends are shown')),
  });

  expect(happened).toEqual([
    'claims is asked to stop',
    'host is asked to stop',
    'claims stopped',
    'host stopped',
    'the ends are shown',
    'control is asked to stop',
    'control stopped',
  ]);
});
