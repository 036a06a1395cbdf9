/** The verbs that change something, derived from the actions that the console takes. */
import {
  ACTIONS,
  CONSOLE_ACTIONS,
  lengthOfStop,
  type BodyField,
  type ConsoleAction,
  type ConsoleUse,
} from '@nereid/domain/actions';
import { COMMIT_DETAILS } from '../../clone/find-commit.ts';
import { TIMEOUT, WAIT, type Argument } from '../../arguments/verb-description.ts';
import type { Call } from '../../call.ts';
import { EXIT, type ExitCode } from '../../exit-code.ts';
import type { Verb } from '../verb.ts';
import { POOL_OPTIONS } from './pool-subject.ts';
import { SUBJECTS, type SubjectOfVerb } from './subjects.ts';
import { showAnswer, ANSWER_MS, GOES_ON } from './act.ts';

/** What a person types for each field; the console is asked for the lock. */
const ARGUMENTS: Readonly<Record<BodyField, readonly Argument[]>> = {
  lock: [],
  revision: [{ name: 'COMMIT' }],
  roots: [{ name: 'ROOT', isRepeated: true }],
  duration: [{ name: 'FOR', whyNot: whyNoLength }],
  reason: [{ name: 'REASON' }],
  directories: [{ name: 'DIRECTORY', isOptional: true, isRepeated: true, unless: POOL_OPTIONS }],
  wave: [{ name: 'WAVE', whyNot: whyNoWave }],
  'some-roots': [{ name: 'ROOT', isOptional: true, isRepeated: true }],
};

/**
 * Those of a plan and of a preview share a verb: which of them is meant, the deployment says. Those of a repository and of a pool do,
 * too: an option says which. No others may share one.
 */
export const ACT_VERBS: readonly Verb[] = [...Map.groupBy(CONSOLE_ACTIONS, (name) => ACTIONS[name].verb)].map(
  ([verb, names]) => verbOf(verb, names),
);

function verbOf(name: string, actions: readonly ConsoleAction[]): Verb {
  const [first = 'confirm'] = actions;
  const { about, summary } = ACTIONS[first];
  const { body, waits = false }: ConsoleUse = ACTIONS[first].console;
  const subject = SUBJECTS[about];
  // Whatever is named alike is described once.
  const described = [first, ...actions.filter((action) => subjectOf(action) !== subject)];
  const uses: readonly ConsoleUse[] = described.map((action) => ACTIONS[action].console);
  return {
    name,
    group: 'Act',
    summary,
    details: [
      ...subject.details,
      ...(asksCommit(body) ? [COMMIT_DETAILS] : []),
      ...uses.flatMap(({ details = [] }) => details),
    ],
    isRemote: true,
    arguments: [...subject.arguments, ...Object.values(body).flatMap((field) => ARGUMENTS[field])],
    options: [...described.flatMap((action) => subjectOf(action).options), ...(waits ? [WAIT] : []), TIMEOUT],
    examples: uses.flatMap(({ examples }) =>
      examples.map(({ words, does }) => ({ command: `nereid ${name} ${words}`, does })),
    ),
    run: (call) => act(call, actions),
  };
}

function subjectOf(action: ConsoleAction): SubjectOfVerb {
  return SUBJECTS[ACTIONS[action].about];
}

function asksCommit(body: ConsoleUse['body']): boolean {
  return Object.values(body).includes('revision');
}

function whyNoLength(typed: string): string | undefined {
  const length = lengthOfStop(typed);
  return typeof length === 'string' ? length : undefined;
}

function whyNoWave(typed: string): string | undefined {
  return WAVE.test(typed) ? undefined : `expected the number of a wave, like 1, found ${typed}`;
}

/** A merge has at most 100. */
const WAVE = /^([1-9]\d?|100)$/;

async function act(call: Call, actions: readonly ConsoleAction[]): Promise<ExitCode> {
  const [first = 'confirm'] = actions;
  const client = call.client();
  const subject = subjectOf(actions.find((action) => subjectOf(action).isNamed?.(call.given)) ?? first);
  const about = actions.filter((action) => subjectOf(action) === subject);
  const found = await subject.find(call, client, about);
  const untilEnd = call.within(undefined, WAITS_NO_MORE);
  const send = () => client.act(found.action, found.place, call.within(ANSWER_MS, GOES_ON));
  const answer = await (found.around?.(send) ?? send());
  showAnswer(call, answer);
  return call.given.has('wait') ? found.waitForEnd({ call, client, signal: untilEnd }, answer.value) : EXIT.done;
}

const WAITS_NO_MORE = 'the deployment goes on, and nereid logs -f follows it';
