/** Help, from what verbs take. Pure. */
import { EXIT_MEANINGS } from '../exit-code.ts';
import { wrapped } from '../output/width.ts';
import { listOf } from './list-of.ts';
import { GROUPS, optionsOf, type Argument, type Option, type VerbDescription } from './verb-description.ts';

export function overview(verbs: readonly VerbDescription[]): string {
  const width = Math.max(...verbs.map(({ name }) => name.length));
  const groups = GROUPS.flatMap((group) => [
    `${group}:`,
    ...verbs.filter((verb) => verb.group === group).map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
  ]);
  return lines([
    'nereid asks the console of Nereid, and acts through it.',
    '',
    'Usage: nereid [VERB] [OPTIONS]; without a verb, it lists everything that waits for a person',
    '',
    ...groups,
    'nereid VERB --help shows the arguments of a verb, with examples; nereid --version prints the version.',
    '',
    ...ENVIRONMENT,
    '',
    'Exit codes:',
    ...EXIT_MEANINGS.map(([code, meaning]) => `  ${String(code).padEnd(3)}  ${meaning}`),
  ]);
}

const ENVIRONMENT = [
  'Environment:',
  '  NEREID_CONSOLE              the address of the console (of the last login, or http://127.0.0.1:4144)',
  '  NEREID_TOKEN                a token, which takes precedence over nereid login',
  '  NEREID_TOKEN_FILE           a file that holds it, and that only you can read (mode 600)',
  '  NEREID_PROXY_AUTHORIZATION  for a login proxy before the console: sent to it as Proxy-Authorization, which',
  '                              Identity-Aware Proxy takes as "Bearer" and an OpenID token for its client id',
  '  NO_COLOR                    set: no colours',
];

export function verbHelp(verb: VerbDescription): string {
  const { name, summary, details = [], examples } = verb;
  const options = optionsOf(verb);
  const usages = options.map(usageOf);
  const width = Math.max(...usages.map((usage) => usage.length));
  const commandWidth = Math.max(...examples.map(({ command }) => command.length));
  return lines([
    `nereid ${name}: ${summary}`,
    '',
    `Usage: ${['nereid', name, ...(verb.arguments ?? []).map(argumentUsage), '[OPTIONS]'].join(' ')}`,
    ...(verb.arguments ?? []).flatMap(valuesLine),
    ...details.flatMap((paragraph) => ['', ...wrapped(paragraph, WIDTH)]),
    '',
    'Options:',
    ...options.flatMap((option, index) => described(usages[index] ?? '', width, summaryOf(option))),
    '',
    'Examples:',
    ...examples.map(({ command, does }) => `  ${command.padEnd(commandWidth)}  # ${does}`),
  ]);
}

/** Of a terminal that shows help without breaking it. */
const WIDTH = 120;

function described(usage: string, width: number, text: string): readonly string[] {
  const indent = width + 4;
  return wrapped(text, WIDTH - indent).map((line, index) =>
    index === 0 ? `  ${usage.padEnd(width)}  ${line}` : `${' '.repeat(indent)}${line}`,
  );
}

function argumentUsage({ name, isOptional, isRepeated }: Argument): string {
  const repeated = isRepeated ? `${name}...` : name;
  return isOptional ? `[${repeated}]` : repeated;
}

function valuesLine({ name, values }: Argument): readonly string[] {
  return values === undefined ? [] : [`  ${name} is ${listOf(values)}`];
}

function usageOf({ name, short, value }: Option): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
}

function summaryOf({ summary, values }: Option): string {
  return values === undefined ? summary : `${summary}: ${values.join(', ')}`;
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
