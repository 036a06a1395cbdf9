/**
 * The parts of a file that can be judged although others are wrong, so that rules find all problems in the same round. Parts
 * that have a problem already are left out, so that no other problem is reported that only follows from it.
 */
import type { z } from 'zod';
import { pathOf } from './schema.ts';
import type { Path } from './problem.ts';

export interface Sound<T> {
  readonly value: T;
  /** Keys of the part that are missing in the value, or incomplete, because of a problem. */
  readonly wrong: ReadonlySet<string>;
}

export interface SoundItem<T> extends Sound<T>, Placed<T> {}

/** An entry with its place in the file's list. */
export interface Placed<Value> {
  readonly index: number;
  readonly value: Value;
}

/** The items of a list of which nothing is wrong, in their normal form. */
export function wholeItems<Written, Value>(
  schema: z.ZodType<Written>,
  list: unknown,
  normalise: (written: Written) => Value,
): readonly Placed<Value>[] {
  return soundItems(schema, list)
    .filter(({ wrong }) => wrong.size === 0)
    .map(({ index, value }) => ({ index, value: normalise(value) }));
}

/** The sound items of a list; none when it is not a list. */
export function soundItems<T>(schema: z.ZodType<T>, list: unknown): readonly SoundItem<T>[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown, index) => {
    const sound = soundPart(schema, item);
    return sound ? [{ ...sound, index }] : [];
  });
}

/** The part without its wrong keys; undefined when it lacks a required key, or is something else altogether. */
export function soundPart<T>(schema: z.ZodType<T>, part: unknown): Sound<T> | undefined {
  const wrong = new Set<string>();
  let rest = part;
  for (;;) {
    const result = schema.safeParse(rest, { reportInput: true });
    if (result.success) return { value: result.data, wrong };
    for (const path of result.error.issues.flatMap(wrongPaths)) {
      // The part as a whole: nothing can be taken out of it.
      if (path[0] === undefined) return undefined;
      wrong.add(String(path[0]));
      rest = without(rest, path);
    }
  }
}

/** The value under a key; undefined when there is none, or when the whole is not a mapping. */
export function partOf(value: unknown, key: string): unknown {
  return isMapping(value) ? value[key] : undefined;
}

export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The paths to leave out for this finding; for a missing key, the path of the mapping that lacks it. */
function wrongPaths(issue: z.core.$ZodIssue): readonly Path[] {
  const path = pathOf(issue.path);
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...path, key]);
  return [issue.input === undefined ? path.slice(0, -1) : path];
}

/** The value without the part at the path; a list is removed as a whole, so that no other item changes its place. */
function without(value: unknown, [key, ...rest]: Path): unknown {
  if (!isMapping(value) || key === undefined) return value;
  const inner = value[key];
  const others = Object.entries(value).filter(([name]) => name !== key);
  const kept = rest.length > 0 && isMapping(inner) ? [[key, without(inner, rest)] as const] : [];
  return Object.fromEntries([...others, ...kept]);
}
