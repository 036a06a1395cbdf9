import { jest } from '@jest/globals';

/**
 * From here on, time-outs pass only while this process runs: a machine that stalls uses up nobody's patience, and what has come
 * meanwhile is found first. Until the end of the file, or `jest.useRealTimers()`. Time-outs of `AbortSignal` and of
 * `node:timers/promises` stay real.
 */
export function timeoutsWithoutStalls(): void {
  jest.useFakeTimers({ advanceTimers: true, doNotFake: [...OTHERS] });
}

const OTHERS = [
  'Date',
  'hrtime',
  'nextTick',
  'queueMicrotask',
  'requestAnimationFrame',
  'cancelAnimationFrame',
  'requestIdleCallback',
  'cancelIdleCallback',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
] as const;
