import { afterEach, expect, jest, test } from '@jest/globals';
import { createPatience, inTime } from './in-time.ts';

afterEach(() => {
  jest.useRealTimers();
});

test('an answer that comes in time is the answer, and so is a failure', async () => {
  expect(await inTime(Promise.resolve('answer'), 10_000)).toBe('answer');
  await expect(inTime(Promise.reject(new Error('away')), 10_000)).rejects.toThrow('away');
});

test('nobody waits longer, and a failure that comes later is nobody’s concern', async () => {
  const { promise, reject } = Promise.withResolvers<never>();

  await expect(inTime(promise, 1)).rejects.toMatchObject({ code: 'SLOW_STORAGE' });
  reject(new Error('away'));
});

test('a page that asks for one thing after the other waits no longer than for one, and asks for nothing afterwards', async () => {
  jest.useFakeTimers();
  const patience = createPatience(1_000);
  let asked = 0;
  const hangs = () => {
    asked += 1;
    return new Promise<never>(() => undefined);
  };
  const askInVain = async () => {
    const answer = expect(patience.ask(hangs)).rejects.toMatchObject({ code: 'SLOW_STORAGE' });
    jest.advanceTimersByTime(500);
    await answer;
  };

  await askInVain();
  expect(patience.isOver()).toBe(false);
  while (!patience.isOver()) await askInVain();
  const askedInTime = asked;
  await askInVain();

  expect(asked).toBe(askedInTime);
});
