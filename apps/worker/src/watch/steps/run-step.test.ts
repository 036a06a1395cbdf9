import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createRunStep, type Step } from './run-step.ts';

const SHORT_MS = 20;

const hangs: Step<string> = { name: 'hangs', run: () => new Promise(() => undefined) };
const fails: Step<string> = { name: 'fails', run: () => Promise.reject(new Error('Temporal is away')) };
const works: Step<string> = { name: 'works', run: () => Promise.resolve('done') };

interface Line {
  readonly step: string;
  readonly msg: string;
}

function aLog() {
  const lines: Line[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Line);
  return { lines, logger: pino({ level: 'warn' }, { write }) };
}

test('a step that fails, or hangs and ignores its signal, holds up no other, and the log names it', async () => {
  const { lines, logger } = aLog();
  const runStep = createRunStep({ logger }, SHORT_MS);
  const { signal } = new AbortController();

  const results: unknown[] = [];
  for (const step of [fails, hangs, works]) results.push(await runStep(step, signal));

  expect(results).toEqual([undefined, undefined, 'done']);
  expect(lines.map(({ step }) => step)).toEqual(['fails', 'hangs']);
});

test('a step that ignores its signal never runs beside itself: the next watch says that it waits for it', async () => {
  const { lines, logger } = aLog();
  const runStep = createRunStep({ logger }, SHORT_MS);
  const { signal } = new AbortController();
  const ends = Promise.withResolvers<string>();
  let runs = 0;
  const run = () => {
    runs += 1;
    return ends.promise;
  };

  for (let watch = 0; watch < 3; watch += 1) await runStep({ name: 'slow', run }, signal);
  expect(runs).toBe(1);
  expect(lines).toMatchObject([
    { step: 'slow', msg: expect.stringContaining('has failed') },
    ...Array.from({ length: 2 }, () => ({ step: 'slow', msg: expect.stringContaining('still runs') })),
  ]);

  ends.resolve('done');
  await ends.promise;
  expect(await runStep({ name: 'slow', run }, signal)).toBe('done');
});

test('a step that listens to its signal is told that its time is over', async () => {
  let told: unknown;
  const listens: Step<void> = {
    name: 'listens',
    run: (signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          told = signal.reason;
          resolve();
        });
      }),
  };

  await createRunStep(aLog(), SHORT_MS)(listens, new AbortController().signal);

  expect(told).toMatchObject({ name: 'TimeoutError' });
});

test('the end of the watch ends its steps: what hangs is left, and nothing else begins', async () => {
  const controller = new AbortController();
  const runStep = createRunStep(aLog());
  const asked = runStep(hangs, controller.signal);
  controller.abort(new Error('the watch is over'));

  await expect(asked).rejects.toThrow('the watch is over');
  await expect(runStep(works, controller.signal)).rejects.toThrow('the watch is over');
});
