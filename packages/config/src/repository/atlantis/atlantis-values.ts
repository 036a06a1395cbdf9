/** The values of `atlantis.yaml`, each read as the type that Atlantis has for its key. A wrong one is reported, and left out. */
import { describeValue, quote, type Path } from '../../yaml/problem.ts';
import type { Report } from '../../yaml/report.ts';
import { isMapping } from '../../yaml/sound.ts';
import { LIST_LIMIT } from '../repository-limits.ts';

export type Mapping = Readonly<Record<string, unknown>>;

/** `elsewhere` says of keys what takes their place. */
export function warnOfOthers(
  path: Path,
  mapping: Mapping,
  known: readonly string[],
  report: Report,
  elsewhere?: ReadonlyMap<string, string>,
): void {
  for (const key of Object.keys(mapping)) {
    if (known.includes(key)) continue;
    const why = elsewhere?.get(key);
    report.warn(
      [...path, key],
      why === undefined ? `${quote(key)} has no counterpart here; it is ignored` : `${quote(key)} is ignored: ${why}`,
    );
  }
}

export function mappingAt(path: Path, value: unknown, report: Report): Mapping {
  if (isMapping(value)) return value;
  report.error(path, `expected a mapping, found ${describeValue(value)}`);
  return {};
}

export function listAt(path: Path, value: unknown, report: Report): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isEmpty(value)) report.error(path, `expected a list, found ${describeValue(value)}`);
  return [];
}

/** The words that Go's YAML accepts for a field of type bool. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on', 'y'].map((word) => [word, true] as const),
  ...['false', 'no', 'off', 'n'].map((word) => [word, false] as const),
]);

export function booleanAt(path: Path, value: unknown, report: Report): boolean | undefined {
  if (isEmpty(value)) return undefined;
  const read = BOOLEANS.get(String(value).toLowerCase());
  if (read === undefined) report.error(path, `expected true or false, found ${describeValue(value)}`);
  return read;
}

export function integerAt(path: Path, value: unknown, report: Report): number | undefined {
  if (isEmpty(value)) return undefined;
  const read = typeof value === 'string' && /^[-+]?\d+$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(read)) return read;
  report.error(path, `expected a whole number, found ${describeValue(value)}`);
  return undefined;
}

export function namesAt(path: Path, value: unknown, report: Report): readonly string[] {
  const names = listAt(path, value, report);
  if (names.length <= LIST_LIMIT) return names.flatMap((name) => textOf(name) ?? []);
  report.error(
    path,
    `expected a list of at most ${LIST_LIMIT}, found ${describeValue(names)}; use execution_order_group`,
  );
  return [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && !isEmpty(value) ? value : undefined;
}

/** A key without a value, as Go reads it: the field keeps its default. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === '~' || value === 'null';
}
