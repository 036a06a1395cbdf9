import { expect, test } from '@jest/globals';
import { createBoundedWork, StillRunningError } from './bounded-work.ts';

/** Short: the tests wait until it is over. */
const SHORT_MS = 20;
const LONG_MS = 60_000;

test('work that hangs and ignores its signal is waited for as long as its bounds permit', async () => {
  const work = createBoundedWork();
  const { promise: never } = Promise.withResolvers<never>();

  await expect(work.run('read', () => never, { limitMs: SHORT_MS })).rejects.toMatchObject({ name: 'TimeoutError' });
  const signal = AbortSignal.abort(new Error('the worker stops'));
  await expect(work.run('write', () => never, { limitMs: LONG_MS, signal })).rejects.toThrow('the worker stops');
});

test('work never runs beside itself, and is late once its time is over; other work does not wait for it', async () => {
  const work = createBoundedWork();
  const hangs = Promise.withResolvers<string>();
  let begun = 0;
  const read = () => {
    begun += 1;
    return hangs.promise;
  };
  const first = work.run('read', read, { limitMs: SHORT_MS });

  await expect(work.run('read', read, { limitMs: LONG_MS })).rejects.toMatchObject({ isOverdue: false });
  expect(await work.run('list', async () => 'listed', { limitMs: LONG_MS })).toBe('listed');
  await expect(first).rejects.toMatchObject({ name: 'TimeoutError' });
  await expect(work.run('read', read, { limitMs: LONG_MS })).rejects.toThrow(StillRunningError);
  await expect(work.run('read', read, { limitMs: LONG_MS })).rejects.toMatchObject({ isOverdue: true });
  expect(begun).toBe(1);

  hangs.resolve('read');
  await hangs.promise;
  expect(await work.run('read', async () => 'again', { limitMs: LONG_MS })).toBe('again');
});

test('work that fails may begin again', async () => {
  const work = createBoundedWork();
  await expect(work.run('read', () => Promise.reject(new Error('away')), { limitMs: LONG_MS })).rejects.toThrow('away');

  expect(await work.run('read', async () => 'read', { limitMs: LONG_MS })).toBe('read');
});
