import { expect, test } from '@jest/globals';
import { createDayCache } from './day-cache.ts';

const NOW_MS = Date.parse('2026-11-22T12:00:00.000Z');

test('a day that is over is read once in ten minutes, today once in ten seconds', async () => {
  const days = aCache();
  await days.of('2026-11-10', '2026-11-22');

  days.wait(30_000);
  await days.of('2026-11-10', '2026-11-22');
  days.wait(10 * 60_000);
  await days.of('2026-11-10');

  expect(days.reads).toEqual(['2026-11-10', '2026-11-22', '2026-11-22', '2026-11-10']);
});

test('who asks while a day is read waits for the same reading', async () => {
  const days = aCache();

  await Promise.all([days.of('2026-11-10'), days.of('2026-11-10')]);

  expect(days.reads).toEqual(['2026-11-10']);
});

test('a failure is told, and the next one reads again', async () => {
  let fails = true;
  const read = () => (fails ? Promise.reject(new Error('away')) : Promise.resolve(['read']));
  const readDay = createDayCache({ read, sizeOf: () => 1, sizeLimit: 10 });

  await expect(readDay('2026-11-10')).rejects.toThrow('away');
  fails = false;

  expect(await readDay('2026-11-10')).toEqual(['read']);
});

test('beyond the limit, the days that nobody asked for lately are forgotten', async () => {
  const days = aCache(2);

  await days.of('2026-11-01', '2026-11-02', '2026-11-03', '2026-11-03', '2026-11-01');

  expect(days.reads).toEqual(['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-01']);
});

function aCache(sizeLimit = 100) {
  const reads: string[] = [];
  let nowMs = NOW_MS;
  const read = (day: string) => {
    reads.push(day);
    return Promise.resolve([day]);
  };
  const readDay = createDayCache({ read, sizeOf: (value) => value.length, sizeLimit, now: () => nowMs });
  return {
    reads,
    of: async (...days: readonly string[]) => {
      for (const day of days) await readDay(day);
    },
    wait: (ms: number) => {
      nowMs += ms;
    },
  };
}
