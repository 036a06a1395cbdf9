/** `nereid`: finds the verb, runs it, and says what went wrong. */
import { didYouMean, parseArguments, splitVerb } from './arguments/parse-arguments.ts';
import type { Verb } from './verbs/verb.ts';
import { createCall, screenOn } from './call.ts';
import { EXIT, ExitError, wrongUsage, type ExitCode } from './exit-code.ts';
import { overview, verbHelp } from './arguments/help.ts';
import type { Screen } from './output/screen.ts';
import { VERBS } from './verbs/verbs.ts';
import { ownVersion } from './version.ts';
import type { World } from './world.ts';

/** What somebody wants who types nothing. */
const DEFAULT_VERB = 'attention';

export async function runNereid(world: World): Promise<ExitCode> {
  try {
    return await run(world);
  } catch (error) {
    const notes = screenOn(world.stderr, world.env);
    if (!(error instanceof ExitError)) return reportFault(notes, error);
    if (error.message !== '') notes.line(error.message);
    if (error.exitCode === EXIT.wrongUsage) notes.line(`${helpOf(world)} says more`);
    if (error.exitCode === EXIT.notLoggedIn) notes.line('nereid login --help says how to log in');
    return error.exitCode;
  }
}

/** Of the verb, where one was typed. */
function helpOf({ args }: World): string {
  const { verb } = splitVerb(args, VERBS);
  return VERBS.some(({ name }) => name === verb) ? `nereid ${verb} --help` : 'nereid --help';
}

function reportFault(notes: Screen, error: unknown): ExitCode {
  notes.line('this is a fault of nereid: please report it with the command that you typed, but without any token');
  for (const line of String(error instanceof Error ? error.stack : error).split('\n')) notes.line(line);
  return EXIT.bug;
}

async function run(world: World): Promise<ExitCode> {
  const { args } = world;
  const typed = splitVerb(args, VERBS);
  if (typed.verb === undefined && args.some((arg) => arg === '--help' || arg === '-h'))
    return show(world, overview(VERBS));
  if (typed.verb === undefined && args.some((arg) => arg === '--version' || arg === '-v'))
    return show(world, `${ownVersion()}\n`);
  if (typed.verb === 'help') return help(world, typed.rest);
  const verb = verbNamed(typed.verb ?? DEFAULT_VERB);
  const given = parseArguments(verb, typed.rest);
  if (given.has('help')) return show(world, verbHelp(verb));
  return verb.run(createCall({ given, world, verbs: VERBS }));
}

/** `nereid help lanes` is `nereid lanes --help`. */
function help(world: World, [name]: readonly string[]): ExitCode {
  return show(world, name === undefined ? overview(VERBS) : verbHelp(verbNamed(name)));
}

function show(world: World, text: string): ExitCode {
  world.stdout.write(text);
  return EXIT.done;
}

function verbNamed(name: string): Verb {
  const found = VERBS.find((verb) => verb.name === name);
  const names = VERBS.map((verb) => verb.name);
  if (found === undefined) throw wrongUsage(`nereid has no verb ${name}${didYouMean(name, names)}`);
  return found;
}
