/** The few shapes that our schemas are built from, and zod's findings in our words. */
import { defined } from '@nereid/domain/defined';
import { z } from 'zod';
import { nearestOf } from './nearest.ts';
import { describeValue, inFileOrder, quote, type Path, type Problem } from './problem.ts';
import { problemAt } from './report.ts';
import type { YamlSource } from './yaml-source.ts';

export type Parsed<T> =
  { readonly kind: 'ok'; readonly value: T } | { readonly kind: 'invalid'; readonly problems: readonly Problem[] };

/** A mapping without unknown keys. `remedyFor` says what to do about something else in its place. */
export function object<Shape extends z.ZodRawShape>(
  shape: Shape,
  remedyFor: (input: unknown) => string | undefined = () => undefined,
) {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') {
        const remedy = remedyFor(issue.input);
        return remedy === undefined ? 'a mapping' : advised('a mapping', remedy);
      }
      return issue.keys.map((key) => unknownKey(key, Object.keys(shape))).join('\n');
    },
  });
}

/** A message for zod with two parts: the end of "expected …", and the remedy. */
export function advised(expected: string, remedy: string): string {
  return `${expected}\n${remedy}`;
}

/** A string; `expected` completes "expected …", and `pattern` has to match, if there is one. */
export function text(expected: string, pattern?: RegExp) {
  const schema = z.string(expected);
  return (pattern ? schema.regex(pattern, expected) : schema.min(1, expected)).max(
    TEXT_LIMIT,
    `at most ${TEXT_LIMIT} characters`,
  );
}

/**
 * Gives a key the words of editors and pages, in Markdown with links from the top of the documentation. `values` are those that it
 * takes, with the default; a key that only holds others has none.
 */
export function described<Schema extends z.ZodType>(schema: Schema, description: string, values?: string): Schema {
  return schema.meta({ description, ...defined({ values }) });
}

export function flag() {
  return z.boolean('true or false');
}

export function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, { error: ({ input }) => expectedWord(words, input) });
}

/** A mapping of one of several kinds, which its key `kind` names. */
export function ofKinds<const Kinds extends readonly [Kind, ...Kind[]]>(kinds: Kinds) {
  const words = kinds.map(({ shape }) => shape.kind.value);
  return z.discriminatedUnion('kind', kinds, {
    error: ({ input }) => expectedWord(words, isMapping(input) ? Reflect.get(input, 'kind') : input),
  });
}

type Kind = z.ZodObject<{ readonly kind: z.ZodLiteral<string> }>;

export function list<Item extends z.ZodType>(item: Item, limit: number) {
  return z.array(item, 'a list').max(limit, `a list of at most ${limit}`);
}

/** A mapping from names that people choose; `expected` describes a name. */
export function mapping<Value extends z.ZodType>(expected: string, name: RegExp, value: Value) {
  return z.record(z.string().regex(name, expected), value, 'a mapping');
}

/** Longer than any path, command or URL that a person writes by hand. */
export const TEXT_LIMIT = 4096;

/** Checks the value; every finding says what was expected and what was found, with its place. */
export function parseWith<T>(schema: z.ZodType<T>, source: YamlSource): Parsed<T> {
  const result = schema.safeParse(source.value, { reportInput: true });
  if (result.success) return { kind: 'ok', value: result.data };
  const findings = result.error.issues.flatMap((issue) => findingsOf(issue, [], source.value));
  const problems = findings.map(({ path, message }) => problemAt(source, path, message));
  return { kind: 'invalid', problems: inFileOrder(firstOfEachPath(problems)) };
}

/** A value that is not a text has the wrong length too, but nobody needs to hear that. */
function firstOfEachPath(problems: readonly Problem[]): readonly Problem[] {
  return [...Map.groupBy(problems, ({ path }) => path).values()].flatMap(([first]) => first ?? []);
}

interface Finding {
  readonly path: Path;
  readonly message: string;
}

function findingsOf(issue: z.core.$ZodIssue, parent: Path, file: unknown): readonly Finding[] {
  const path = [...parent, ...pathOf(issue.path)];
  if (issue.code === 'unrecognized_keys') {
    return issue.message.split('\n').map((message, index) => ({ path: [...path, issue.keys[index] ?? ''], message }));
  }
  const nested = issue.code === 'invalid_union' ? branchMeant(issue) : undefined;
  if (nested) return nested.flatMap((inner) => findingsOf(inner, path, file));
  if (issue.code === 'invalid_key') {
    const expected = issue.issues[0]?.message ?? 'another name';
    return [{ path, message: `expected ${expected}, found ${describeValue(path.at(-1))}` }];
  }
  return [{ path, message: expectedFound(issue, path, file) }];
}

/** Turns zod's path into ours. */
export function pathOf(path: readonly PropertyKey[]): Path {
  return path.map((part) => (typeof part === 'symbol' ? String(part) : part));
}

/**
 * The alternative whose shape fits the value, so that only the inside of the value is wrong; or else the one mapping that knows more
 * of its keys than any other.
 */
function branchMeant(issue: z.core.$ZodIssueInvalidUnion): readonly z.core.$ZodIssue[] | undefined {
  const fitting = issue.errors.find((nested) =>
    nested.every(({ code, path }) => code !== 'unrecognized_keys' && path.length > 0),
  );
  if (fitting || !isMapping(issue.input)) return fitting;
  const keys = Object.keys(issue.input).length;
  const [best, next] = issue.errors
    .filter((nested) => nested.every(({ code, path }) => code === 'unrecognized_keys' || path.length > 0))
    .map((nested) => ({ nested, known: keys - unknownKeysIn(nested) }))
    .toSorted((a, b) => b.known - a.known);
  return best !== undefined && best.known > (next?.known ?? 0) ? best.nested : undefined;
}

function unknownKeysIn(nested: readonly z.core.$ZodIssue[]): number {
  return nested.flatMap((issue) => (issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : []))
    .length;
}

function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function expectedFound(issue: z.core.$ZodIssue, path: Path, file: unknown): string {
  const input = issue.code === 'custom' ? valueAt(file, path) : foundBy(issue);
  const [expected = '', remedy = input === undefined ? 'add it' : undefined] = issue.message.split('\n');
  return `expected ${expected}${suggestion(input, wordsAmong(issue))}, found ${describeValue(input)}${remedy === undefined ? '' : `; ${remedy}`}`;
}

/** A rule about a mapping may blame one of its keys: then the value of that key is wrong, not the mapping. */
function valueAt(file: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, part) => (typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined),
    file,
  );
}

/** Of a mapping whose kind is not known, the word for its kind. */
function foundBy(issue: z.core.$ZodIssue): unknown {
  const { input } = issue;
  const kind = issue.code === 'invalid_union' && 'discriminator' in issue ? issue.discriminator : undefined;
  return kind !== undefined && typeof input === 'object' && input !== null ? Reflect.get(input, kind) : input;
}

/** The words among the alternatives of a value that may be something else, too. */
function wordsAmong(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code !== 'invalid_union') return [];
  const words = issue.errors
    .flat()
    .flatMap((one) => (one.code === 'invalid_value' && one.path.length === 0 ? one.values : []));
  return words.filter((word) => typeof word === 'string');
}

function unknownKey(key: string, known: readonly string[]): string {
  const nearest = nearestOf(key, known);
  const remedy = nearest === undefined ? `known keys are ${known.join(', ')}` : `did you mean ${quote(nearest)}?`;
  return `expected a known key, found ${quote(key)}; ${remedy}`;
}

function expectedWord(words: readonly string[], input: unknown): string {
  return `${listOf(words)}${suggestion(input, words)}`;
}

function suggestion(input: unknown, words: readonly string[]): string {
  const nearest = typeof input === 'string' ? nearestOf(input, words) : undefined;
  return nearest === undefined ? '' : ` (did you mean ${quote(nearest)}?)`;
}

function listOf(words: readonly string[]): string {
  return words.length === 1 ? quote(words[0] ?? '') : `one of ${words.map(quote).join(', ')}`;
}
