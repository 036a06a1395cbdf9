/** What the JSON Schema of a file says of its keys. What stands in a list, or under a name that people choose, is found by the key above it. */
import { defined } from '@nereid/domain/defined';
import { KEY_EXAMPLES } from './key-examples.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** What `described` adds to the schema of a key. */
type Texts = Partial<Pick<DescribedKey, 'description' | 'values'>>;

export interface DescribedKey {
  /** Like `waves.checks.name`. */
  readonly path: string;
  /** In Markdown. */
  readonly description: string;
  /** Absent where the key only holds others. */
  readonly values?: string;
}

/** Every key of the schema, for the tables of the documentation. */
export function describedKeys(schema: unknown, path: readonly string[] = []): readonly DescribedKey[] {
  if (Array.isArray(schema)) return schema.flatMap((each: unknown) => describedKeys(each, path));
  if (!isMapping(schema)) return [];
  return Object.entries(schema).flatMap(([name, value]) => {
    if (name !== 'properties' || !isMapping(value)) return describedKeys(value, path);
    return Object.entries(value).flatMap(([key, inside]) => [
      describedKey([...path, key].join('.'), inside),
      ...describedKeys(inside, [...path, key]),
    ]);
  });
}

function describedKey(path: string, schema: unknown): DescribedKey {
  const { description = '', values } = (isMapping(schema) ? schema : {}) as Texts; // By `described`.
  return { path, description, ...defined({ values }) };
}

/** The schema as editors show it: descriptions without Markdown, and examples. A key has those of the longest end of its path. */
export function forEditors(schema: unknown, path: readonly string[] = []): unknown {
  if (Array.isArray(schema)) return schema.map((each: unknown) => forEditors(each, path));
  if (!isMapping(schema)) return schema;
  const { properties, ...others } = schema;
  const inside = Object.entries(others).map(([name, value]) => [name, forEditors(value, path)] as const);
  if (!isMapping(properties)) return Object.fromEntries(inside);
  const keys = Object.entries(properties).map(([key, value]) => [key, keyForEditors(value, [...path, key])] as const);
  return { ...Object.fromEntries(inside), properties: Object.fromEntries(keys) };
}

function keyForEditors(schema: unknown, path: readonly string[]): unknown {
  const shown = forEditors(schema, path);
  if (!isMapping(shown)) return shown;
  const { description = '', values = '', ...others } = shown as Texts; // By `described`.
  const text = plain(description) || plain(values);
  return { ...others, ...(text !== '' && { description: text }), ...defined({ examples: examplesOf(path) }) };
}

/** Without links and emphasis. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*|`/g, '')
    .trim();
}

function examplesOf(path: readonly string[]): readonly unknown[] | undefined {
  const ends = path.map((_key, index) => path.slice(index).join('.'));
  return ends.map((end) => KEY_EXAMPLES[end]).find((found) => found !== undefined);
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
