/**
 * Judges the answer of Prometheus to an instant query, as its HTTP API has it. Whatever is not exactly what was expected fails: no
 * data may mean that nothing was measured, and of several series nobody has said which one counts.
 */
import type { Expectation } from '@nereid/config';
import { BODY_LIMIT_BYTES, type GetAnswer } from '@nereid/webhook';
import { z } from 'zod';
import type { CheckAnswer } from './run-check.ts';

interface Query {
  /** Without a trailing slash. */
  readonly url: string;
  readonly query: string;
  readonly expect: Expectation;
}

export function queryUrl({ url, query }: Pick<Query, 'url' | 'query'>): string {
  return `${url}/api/v1/query?${new URLSearchParams({ query }).toString()}`;
}

/** A time, and the number as a text: `NaN` and `+Inf` are none in JSON. */
const sample = z.tuple([z.number(), z.string()]);

const succeeded = z.object({
  status: z.literal('success'),
  warnings: z.array(z.string()).optional(),
  data: z.discriminatedUnion('resultType', [
    z.object({ resultType: z.literal('vector'), result: z.array(z.object({ value: sample.optional() })) }),
    z.object({ resultType: z.literal('scalar'), result: sample }),
    z.object({ resultType: z.literal('matrix') }),
    z.object({ resultType: z.literal('string') }),
  ]),
});
type Data = z.infer<typeof succeeded>['data'];

const failed = z.object({ status: z.literal('error'), error: z.string() });

export function judgePrometheus({ expect }: Query, { status, body }: GetAnswer): CheckAnswer {
  const json = parse(body);
  const refusal = failed.safeParse(json);
  if (refusal.success) return fails(`answered ${status}: ${refusal.data.error}`);
  if (status !== 200) return fails(`answered ${status}, expected 200${redirected(status)}`);
  const answer = succeeded.safeParse(json);
  if (!answer.success) return fails(describeOther(body));
  // A part of the data is missing: less of it may look better than it is.
  const [warning] = answer.data.warnings ?? [];
  if (warning !== undefined) return fails(`answered with a warning: ${warning}`);
  return judge(expect, answer.data.data);
}

function judge(expect: Expectation, data: Data): CheckAnswer {
  if (data.resultType === 'matrix' || data.resultType === 'string')
    return fails(`found a ${data.resultType}, expected one number: ask for an instant vector of one series`);
  const values = data.resultType === 'scalar' ? [data.result[1]] : data.result.map(({ value }) => value?.[1]);
  if (expect.kind === 'no data') {
    const { length } = values;
    return length === 0 ? passes('found no data') : fails(`found ${length} series, expected no data`);
  }
  const expected = `expected ${expect.kind} ${expect.number}`;
  const [value] = values;
  if (values.length > 1) return fails(`found ${values.length} series, ${expected} of one: sum them up in the query`);
  if (values.length === 0)
    return fails(`found no data, ${expected}; where that is well, add "or vector(0)" to the query`);
  if (value === undefined) return fails(`found a histogram, ${expected}: ask for a number`);
  const number = numberOf(value);
  if (number === undefined) return fails(`found ${value === '' ? 'no number' : value}, ${expected}`);
  const isRight = COMPARISONS[expect.kind](number, expect.number);
  return isRight ? passes(`found ${number}`) : fails(`found ${number}, ${expected}`);
}

/** Undefined of what compares with nothing: `NaN`, `+Inf`, `-Inf`, and texts. */
function numberOf(value: string): number | undefined {
  const number = value.trim() === '' ? NaN : Number(value);
  return Number.isFinite(number) ? number : undefined;
}

const COMPARISONS: Readonly<
  Record<Exclude<Expectation['kind'], 'no data'>, (found: number, expected: number) => boolean>
> = {
  '<': (found, expected) => found < expected,
  '<=': (found, expected) => found <= expected,
  '>': (found, expected) => found > expected,
  '>=': (found, expected) => found >= expected,
  '==': (found, expected) => found === expected,
  '!=': (found, expected) => found !== expected,
};

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function describeOther(body: string): string {
  if (Buffer.byteLength(body) >= BODY_LIMIT_BYTES)
    return 'answered more than 64 KB, expected one number: sum the series up in the query';
  return 'answered 200 with something else than Prometheus would: compare the url with the address of its API';
}

function redirected(status: number): string {
  return status >= 300 && status <= 399 ? ': redirects are not followed' : '';
}

function passes(sentence: string): CheckAnswer {
  return { passes: true, sentence };
}

function fails(sentence: string): CheckAnswer {
  return { passes: false, sentence };
}
