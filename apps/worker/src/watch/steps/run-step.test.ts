import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { runStep, type Step } from './run-step.ts';

const SHORT_MS = 20;

const hangs: Step<string> = { name: 'hangs', run: () => new Promise(() => undefined) };
const fails: Step<string> = { name: 'fails', run: () => Promise.reject(new Error('Temporal is away')) };
const works: Step<string> = { name: 'works', run: () => Promise.resolve('done') };

test('a step that fails, or hangs and ignores its signal, holds up no other, and the log names it', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const { signal } = new AbortController();

  const results: unknown[] = [];
  for (const step of [fails, hangs]) results.push(await runStep({ logger }, step, signal, SHORT_MS));
  results.push(await runStep({ logger }, works, signal));

  expect(results).toEqual([undefined, undefined, 'done']);
  expect(lines.map((line) => (JSON.parse(line) as { readonly step: string }).step)).toEqual(['fails', 'hangs']);
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

  await runStep({ logger: pino({ level: 'silent' }) }, listens, new AbortController().signal, SHORT_MS);

  expect(told).toMatchObject({ name: 'TimeoutError' });
});

test('the end of the watch ends its steps: what hangs is left, and nothing else begins', async () => {
  const controller = new AbortController();
  const logger = pino({ level: 'silent' });
  const asked = runStep({ logger }, hangs, controller.signal);
  controller.abort(new Error('the watch is over'));

  await expect(asked).rejects.toThrow('the watch is over');
  await expect(runStep({ logger }, works, controller.signal)).rejects.toThrow('the watch is over');
});
