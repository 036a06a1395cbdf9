import { afterEach, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { createRareWarnings } from './rare-warnings.ts';

const MINUTE_MS = 60_000;

afterEach(() => {
  jest.useRealTimers();
});

test('each subject is warned of once an hour, and at once where it has worked meanwhile', () => {
  jest.useFakeTimers();
  const lines: string[] = [];
  const write = (line: string) => void lines.push((JSON.parse(line) as { readonly key: string }).key);
  const warnings = createRareWarnings(pino({ level: 'warn' }, { write }));
  const fails = (key: string) => {
    warnings.warn(key, { key }, 'it cannot be read');
  };

  for (const key of ['a', 'b', 'a']) fails(key);
  expect(lines).toEqual(['a', 'b']);

  warnings.forget('a');
  jest.advanceTimersByTime(59 * MINUTE_MS);
  for (const key of ['a', 'b']) fails(key);
  expect(lines).toEqual(['a', 'b', 'a']);

  jest.advanceTimersByTime(MINUTE_MS);
  for (const key of ['a', 'b']) fails(key);
  expect(lines).toEqual(['a', 'b', 'a', 'b']);
});
