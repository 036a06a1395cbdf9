import { expect, test } from '@jest/globals';
import { inTime } from './in-time.ts';

test('an answer that comes in time is the answer, and so is a failure', async () => {
  expect(await inTime(Promise.resolve('answer'), 10_000)).toBe('answer');
  await expect(inTime(Promise.reject(new Error('away')), 10_000)).rejects.toThrow('away');
});

test('nobody waits longer, and a failure that comes later is nobody’s concern', async () => {
  const { promise, reject } = Promise.withResolvers<never>();

  await expect(inTime(promise, 1)).rejects.toMatchObject({ code: 'SLOW_STORAGE' });
  reject(new Error('away'));
});
