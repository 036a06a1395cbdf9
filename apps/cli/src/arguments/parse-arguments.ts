/** Reads what was typed, by what a verb takes. */
import { defined } from '@nereid/domain/defined';
import { parseArgs } from 'node:util';
import { distance } from 'fastest-levenshtein';
import { wrongUsage } from '../exit-code.ts';
import { listOf } from './list-of.ts';
import { HELP, optionsOf, type Argument, type Option, type VerbDescription } from './verb-description.ts';

export interface Given {
  /** The value of an argument, which the verb requires. */
  argument(name: string): string;
  /** Values of an argument that is optional or repeated. */
  all(name: string): readonly string[];
  /** The value of an option; undefined without it. */
  option(name: string): string | undefined;
  has(flag: string): boolean;
}

export interface Typed {
  /** Undefined when there is none. */
  readonly verb: string | undefined;
  readonly rest: readonly string[];
}

/** The first word that is neither an option nor the value of one, of whichever verb. */
export function splitVerb(args: readonly string[], verbs: readonly VerbDescription[]): Typed {
  const valued = verbs.flatMap(optionsOf).filter(({ value }) => value !== undefined);
  const takesValue = new Set(valued.map(({ name }) => `--${name}`));
  const index = args.findIndex((arg, at) => !arg.startsWith('-') && !takesValue.has(args[at - 1] ?? ''));
  return { verb: args[index], rest: index < 0 ? args : args.toSpliced(index, 1) };
}

/** Throws a sentence about the first thing that is wrong. */
export function parseArguments(verb: VerbDescription, args: readonly string[]): Given {
  const known = optionsOf(verb);
  const options = Object.fromEntries(known.map((one) => [one.name, parseOption(one)]));
  const { tokens, values, positionals } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) if (token.kind === 'option') checkOption(verb, known, token);
  const isHelp = values[HELP.name] === true;
  const isTaken = ({ unless = [] }: Argument) => unless.every((name) => values[name] === undefined);
  const specs = (verb.arguments ?? []).filter(isTaken);
  const found = isHelp ? new Map<string, readonly string[]>() : assign(verb, specs, positionals);
  return {
    argument: (name) => found.get(name)?.[0] ?? missing(verb, name),
    all: (name) => found.get(name) ?? [],
    option(name) {
      const value = values[name];
      return typeof value === 'string' ? value : undefined;
    },
    has: (flag) => values[flag] === true,
  };
}

function parseOption({ value, short }: Option) {
  return {
    type: value === undefined ? ('boolean' as const) : ('string' as const),
    ...defined({ short }),
  };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function checkOption(verb: VerbDescription, known: readonly Option[], token: OptionToken): void {
  const { name, rawName, value } = token;
  const option = known.find((one) => one.name === name);
  if (option === undefined) {
    const names = known.map((one) => `--${one.name}`);
    throw wrongUsage(`${verb.name} has no option ${rawName}${didYouMean(rawName, names)}`);
  }
  if (option.value === undefined) {
    if (value !== undefined) throw wrongUsage(`${rawName} takes no value`);
    return;
  }
  const isNextOption = token.inlineValue !== true && value?.startsWith('-') === true;
  if (value === undefined || value === '' || isNextOption)
    throw wrongUsage(`${rawName} needs a value: ${option.value}`);
  checkTyped({ ...option, name: rawName }, value);
}

type Typeable = Pick<Argument, 'name' | 'values' | 'whyNot'>;

function checkTyped({ name, values, whyNot }: Typeable, value: string): void {
  checkValue(name, value, values);
  const why = whyNot?.(value);
  if (why !== undefined) throw wrongUsage(why);
}

function checkValue(of: string, value: string, values: readonly string[] | undefined): void {
  if (values === undefined || values.includes(value)) return;
  throw wrongUsage(`expected ${listOf(values)} as ${of}, found ${value}${didYouMean(value, values)}`);
}

function assign(
  verb: VerbDescription,
  specs: readonly Argument[],
  positionals: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  let left = positionals;
  for (const spec of specs) {
    const taken = spec.isRepeated ? left : left.slice(0, 1);
    left = left.slice(taken.length);
    if (taken.length === 0 && !spec.isOptional) missing(verb, spec.name);
    found.set(spec.name, taken);
  }
  if (left.length > 0)
    throw wrongUsage(
      `${verb.name} takes ${takes(specs)}, found also: ${left.join(' ')}${joined(verb, specs, positionals)}`,
    );
  for (const spec of specs) for (const value of found.get(spec.name) ?? []) checkTyped(spec, value);
  return found;
}

/** The command that was meant by `nereid pull acme/infra 10`; nothing where nobody can tell. */
function joined(verb: VerbDescription, specs: readonly Argument[], positionals: readonly string[]): string {
  const [{ joint } = {}, ...others] = specs;
  const [first = '', second = '', ...more] = positionals;
  const isRepository = /^[^/#]+\/[^/#]+$/.test(first);
  if (joint === undefined || !isRepository || others.length > 0 || more.length > 0) return '';
  const meant = `${first}${joint}${second.startsWith(joint) ? second.slice(1) : second}`;
  return `; did you mean nereid ${verb.name} ${joint === '#' ? `'${meant}'` : meant}?`;
}

function missing(verb: VerbDescription, name: string): never {
  const values = verb.arguments?.find((one) => one.name === name)?.values;
  const [example] = verb.examples;
  const like = example === undefined ? '' : `, like ${example.command}`;
  throw wrongUsage(`${verb.name} needs ${name}${values === undefined ? like : `: ${listOf(values)}`}`);
}

function takes(specs: readonly Argument[]): string {
  return specs.length === 0 ? 'no arguments' : specs.map(({ name }) => name).join(' ');
}

/** A typing error changes two letters at most, and of a short word fewer. */
const TYPING_ERROR = 2;
const LETTERS_EACH = 3;

export function didYouMean(found: string, names: readonly string[]): string {
  // Of those that are equally near, the one that was typed with something behind it.
  const [near = ''] = names.toSorted(
    (one, other) =>
      distance(found, one) - distance(found, other) || Number(found.startsWith(other)) - Number(found.startsWith(one)),
  );
  const limit = Math.min(TYPING_ERROR, Math.floor(found.length / LETTERS_EACH));
  return near !== '' && distance(found, near) <= limit ? `; did you mean ${near}?` : '';
}
