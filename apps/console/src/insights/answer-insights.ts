/** Answers `GET /api/v1/insights`: the days of a period, summed up for what one person may see. */
import type { Insights } from '@nereid/api';
import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import type { PatientDays } from '../access/patient-days.ts';
import { isSameName } from '../access/repository-access.ts';
import type { DaySums } from '../trail/day-sums.ts';
import { daysOf } from '../trail/days.ts';
import { sumUp, type Period } from './sum-up.ts';

export interface InsightsSources {
  readonly days: PatientDays<DaySums>;
  /** Those of these repositories, `owner/name`, that the person may see. */
  readonly seenAmong: (names: Iterable<string>) => Promise<readonly string[]>;
}

export interface AnsweredInsights {
  readonly insights: Insights;
  /** Those that the person may choose from, by name. */
  readonly repositories: readonly string[];
}

/** Undefined when no day could be read. */
export type AnswerInsights = (
  wanted: Period & { readonly repository: string | undefined },
  sources: InsightsSources,
) => Promise<AnsweredInsights | undefined>;

/** A bucket allows far more; a folder would not be faster with more. */
const DAYS_AT_ONCE = 8;

/** Those of as many people who see different repositories, at some kilobytes each. */
const ANSWERS_KEPT = 100;

/** People who see the same of the same days get the same answer, which is made once. */
export function createAnswerInsights(): AnswerInsights {
  const answers = new LRUCache<string, { readonly of: readonly (DaySums | undefined)[]; readonly sums: Sums }>({
    max: ANSWERS_KEPT,
  });

  function sumOnce(read: ReadonlyMap<string, DaySums>, period: Period, repositories: readonly string[]): Sums {
    const key = JSON.stringify([daysOf(period), repositories]);
    const of = daysOf(period).map((day) => read.get(day));
    const known = answers.get(key);
    if (known?.of.every((sums, index) => sums === of[index])) return known.sums;
    const sums = sumUp(read, period, new Set(repositories));
    answers.set(key, { of, sums });
    return sums;
  }

  return async ({ repository, ...period }, { days, seenAmong }) => {
    const read = await pMap(daysOf(period), async (day) => [day, await days.read(day)] as const, {
      concurrency: DAYS_AT_ONCE,
    });
    const known = new Map(read.flatMap(([day, sums]) => (sums === undefined ? [] : [[day, sums] as const])));
    if (known.size === 0) return undefined;
    const repositories = (await seenAmong([...known.values()].flatMap((sums) => [...sums.keys()]))).toSorted();
    const wanted =
      repository === undefined ? repositories : repositories.filter((name) => isSameName(name, repository));
    const insights = {
      ...sumOnce(known, period, wanted),
      ...(repository !== undefined && { repository: wanted[0] ?? repository }),
      missing: [...days.missing()],
    };
    return { insights, repositories };
  };
}

type Sums = ReturnType<typeof sumUp>;
