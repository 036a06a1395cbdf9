/**
 * The environment as typed values, or every problem with it at once.
 *
 * A process declares its variables and reads them in one go. Each problem names the variable and says what was expected and
 * what was found (never a secret's value). A wrong or empty value never counts as absent.
 */
import { readFileSync } from 'node:fs';
import { describeValue, type Problem } from '../yaml/problem.ts';
import { foundAt } from './unreadable.ts';

/** A process' environment, as `process.env` has it. */
export type EnvironmentRecord = Readonly<Record<string, string | undefined>>;

/** A variable that was declared: its name, and how its text becomes a value. */
export interface Variable<T> {
  readonly name: string;
  /** Can also be given as the path of a file, in the variable `<name>_FILE`. */
  readonly secret: boolean;
  readonly parse: Parser<T>;
  /** The value, or the problem, of an absent variable. */
  readonly absent: Parsed<T>;
}

/** A variable that may be absent, until it gets a default or is required. */
export interface OptionalVariable<T> extends Variable<T | undefined> {
  /** The default is written as the variable would be. */
  default(text: string): Variable<T>;
  required(): Variable<T>;
}

export type Variables = Readonly<Record<string, Variable<unknown>>>;

export type ValuesOf<V extends Variables> = { readonly [K in keyof V]: V[K] extends Variable<infer T> ? T : never };

export type EnvironmentRead<V extends Variables> =
  | { readonly kind: 'ok'; readonly values: ValuesOf<V> }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] };

export type Parsed<T> = { readonly kind: 'value'; readonly value: T } | NotParsed;

/** Completes the sentence "expected …, found …; …". */
export interface NotParsed {
  readonly kind: 'not';
  readonly expected: string;
  /** Contains no secret. By default the text itself or, for a secret, a note that it is not shown. */
  readonly found?: string;
  readonly remedy?: string;
}

export type Parser<T> = (text: string) => Parsed<T>;

export function readEnv<V extends Variables>(record: EnvironmentRecord, variables: V): EnvironmentRead<V> {
  const problems: Problem[] = [];
  const values = Object.entries(variables).map(([key, variable]) => {
    const read = readVariable(record, variable);
    if (read.kind === 'problem') problems.push({ path: variable.name, message: read.message });
    return [key, read.kind === 'value' ? read.value : undefined] as const;
  });
  if (problems.length > 0) return { kind: 'invalid', problems };
  // Each key has a value of its own variable's type; Object.fromEntries cannot express that.
  return { kind: 'ok', values: Object.fromEntries(values) as ValuesOf<V> };
}

/** A variable that is read by `parse`; for kinds that `env` does not have. */
export function variable<T>(name: string, parse: Parser<T>, secret = false): OptionalVariable<T> {
  const declared = { name, secret, parse };
  const expected = `a value${secret ? ` in ${name} or in the file named by ${name}_FILE` : ''}`;
  return {
    ...declared,
    absent: { kind: 'value', value: undefined },
    default: (text) => ({ ...declared, absent: parse(text) }),
    required: () => ({ ...declared, absent: not(expected, { remedy: 'set it' }) }),
  };
}

type VariableRead<T> =
  { readonly kind: 'value'; readonly value: T } | { readonly kind: 'problem'; readonly message: string };

function readVariable<T>(record: EnvironmentRecord, declared: Variable<T>): VariableRead<T> {
  const given = textOf(record, declared);
  if (given.kind === 'problem') return given;
  const { text } = given;
  const parsed = text === undefined ? declared.absent : declared.parse(text);
  if (parsed.kind === 'value') return parsed;
  const remedy = parsed.remedy === undefined ? '' : `; ${parsed.remedy}`;
  return {
    kind: 'problem',
    message: `expected ${parsed.expected}, found ${found(parsed, text, declared.secret)}${remedy}`,
  };
}

function found(parsed: NotParsed, text: string | undefined, isSecret: boolean): string {
  if (text === undefined) return 'nothing';
  if (text === '') return 'an empty value';
  return parsed.found ?? (isSecret ? 'something else (not shown)' : describeValue(text));
}

type Text =
  { readonly kind: 'text'; readonly text: string | undefined } | { readonly kind: 'problem'; readonly message: string };

function textOf(record: EnvironmentRecord, { name, secret }: Variable<unknown>): Text {
  const text = record[name];
  const file = secret ? record[`${name}_FILE`] : undefined;
  if (file === undefined) return { kind: 'text', text };
  if (text === undefined) return secretIn(file, name);
  return { kind: 'problem', message: `expected either ${name} or ${name}_FILE, found both; remove one` };
}

function secretIn(file: string, name: string): Text {
  try {
    // Editors end a file with a line break, which is not part of the secret.
    return { kind: 'text', text: readFileSync(file, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    return {
      kind: 'problem',
      message: `expected ${name}_FILE to name a file that can be read, found ${foundAt(file, error)}; correct the path`,
    };
  }
}

export function value<T>(parsed: T): Parsed<T> {
  return { kind: 'value', value: parsed };
}

export function not(expected: string, more: Pick<NotParsed, 'found' | 'remedy'> = {}): NotParsed {
  return { kind: 'not', expected, ...more };
}
