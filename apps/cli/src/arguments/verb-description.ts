/** What a verb takes, for parsing, for help and for completion alike. */
import { whyNoDuration } from './duration.ts';

export interface Argument {
  /** As help shows it, in capitals. */
  readonly name: string;
  /** All that it may be. */
  readonly values?: readonly string[];
  /** A clause about what is wrong with a value; undefined when nothing is. */
  readonly whyNot?: (value: string) => string | undefined;
  readonly isOptional?: true;
  /** It may come several times; only the last one of a verb may. */
  readonly isRepeated?: true;
  /** Between its two parts, which people also type as words of their own. */
  readonly joint?: '/' | '#';
  /** Options in place of it: with one of them, there is no such argument. */
  readonly unless?: readonly string[];
}

export interface Option {
  /** Without dashes. */
  readonly name: string;
  readonly short?: string;
  /** The name of its value, in capitals; a flag has none. */
  readonly value?: string;
  /** All that the value may be. */
  readonly values?: readonly string[];
  /** As for an argument. */
  readonly whyNot?: (value: string) => string | undefined;
  readonly summary: string;
}

export interface Example {
  readonly command: string;
  readonly does: string;
}

/** Headings in the list of verbs. */
export const GROUPS = ['Look', 'Act', 'Set up'] as const;
export type Group = (typeof GROUPS)[number];

export interface VerbDescription {
  readonly name: string;
  readonly group: Group;
  /** A clause without a full stop. */
  readonly summary: string;
  /** Paragraphs that say what the summary does not. */
  readonly details?: readonly string[];
  readonly arguments?: readonly Argument[];
  readonly options?: readonly Option[];
  readonly examples: readonly Example[];
  /** It asks the console: then it also takes the options of every such verb. */
  readonly isRemote?: true;
}

export const HELP: Option = { name: 'help', short: 'h', summary: 'show what it does, with examples' };

export const REMOTE_OPTIONS: readonly Option[] = [
  { name: 'json', summary: "print the API's answer, one line for each item of a list" },
  { name: 'console', value: 'URL', summary: 'the console to ask (NEREID_CONSOLE)' },
  { name: 'allow-http', summary: 'send the token without TLS, within a network that you trust' },
];

export const TIMEOUT: Option = {
  name: 'timeout',
  value: 'TIME',
  whyNot: (typed) => whyNoDuration(typed, 'timeout'),
  summary: 'give up after a time like 90s, 10m or 2h, with exit code 7',
};

export const WAIT: Option = {
  name: 'wait',
  summary: 'wait for the end of the deployment, and end with its outcome',
};

export function optionsOf(verb: VerbDescription): readonly Option[] {
  return [...(verb.options ?? []), ...(verb.isRemote ? REMOTE_OPTIONS : []), HELP];
}
