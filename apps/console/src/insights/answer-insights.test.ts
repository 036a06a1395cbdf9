import { expect, test } from '@jest/globals';
import type { DaySums } from '../trail/day-sums.ts';
import { createAnswerInsights } from './answer-insights.ts';

const NOW_MS = Date.parse('2026-11-22T12:00:00.000Z');
const WANTED = { days: 7, nowMs: NOW_MS, repository: undefined } as const;

test('the same days are summed up once for all who see the same of them', async () => {
  const answer = createAnswerInsights();
  const sums = ofOne('acme/infra');
  const [all, others] = [sourcesOf(() => sums), sourcesOf(() => sums, [])];

  const [first, second, other] = [await answer(WANTED, all), await answer(WANTED, all), await answer(WANTED, others)];
  const [later] = [
    await answer(
      WANTED,
      sourcesOf(() => ofOne('acme/infra')),
    ),
  ];

  expect(second?.insights.perDay).toBe(first?.insights.perDay);
  expect(later?.insights.perDay).not.toBe(first?.insights.perDay);
  expect(later?.insights).toEqual(first?.insights);
  expect(other?.insights.busiest).toEqual([]);
});

test('a day that cannot be read is named, and the others count', async () => {
  const answer = createAnswerInsights();
  const sources = sourcesOf((day) => (day === '2026-11-20' ? undefined : ofOne('acme/infra')));

  const found = await answer(WANTED, sources);

  expect(found?.insights.missing).toEqual(['2026-11-20']);
  expect(found?.insights.perDay.map(({ succeeded }) => succeeded)).toEqual([1, 1, 1, 1, 0, 1, 1]);
  expect(
    await answer(
      WANTED,
      sourcesOf(() => undefined),
    ),
  ).toBeUndefined();
});

test('one repository is one of those that the person may see', async () => {
  const answer = createAnswerInsights();
  const sums = ofOne('acme/infra', 'acme/secret');
  const of = async (repository: string) =>
    (
      await answer(
        { ...WANTED, repository },
        sourcesOf(() => sums, ['acme/infra']),
      )
    )?.insights.busiest;

  expect(await of('acme/infra')).toHaveLength(1);
  expect(await of('Acme/Infra')).toHaveLength(1);
  expect(await of('acme/secret')).toEqual([]);
});

function ofOne(...names: readonly string[]): DaySums {
  const counts = { succeeded: 1, failed: 0, other: 0 };
  const roots = new Map([['network', { deployments: 1, failed: 0, turns: [] }]]);
  const day = { counts, leadSeconds: Float64Array.of(1), reviewSeconds: Float64Array.of(), roots };
  return new Map(names.map((name) => [name, day]));
}

function sourcesOf(read: (day: string) => DaySums | undefined, seen: readonly string[] = ['acme/infra']) {
  const missing: string[] = [];
  return {
    days: {
      read: (day: string) => {
        const sums = read(day);
        if (sums === undefined) missing.push(day);
        return Promise.resolve(sums);
      },
      isOver: () => false,
      missing: () => missing,
    },
    seenAmong: (names: Iterable<string>) => Promise.resolve([...new Set(names)].filter((name) => seen.includes(name))),
  };
}
