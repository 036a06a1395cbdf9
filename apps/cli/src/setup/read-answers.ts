/** What a set-up has to know, from what was typed, from a set-up that was interrupted, or from the person at the terminal. */
import { defined } from '@nereid/domain/defined';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from '../call.ts';
import { wrongUsage } from '../exit-code.ts';
import { askUntilRight } from '../output/ask.ts';
import { githubAt, operatorIn, repositoriesIn, secureAddress, type Place } from './answer-formats.ts';
import { ANSWERS_FILE, Answers } from './kept/answers.ts';
import { APP_FILE } from './kept/app.ts';
import { readJson } from './kept/read-json.ts';
import { operatorWithId } from './operator-id.ts';

/** Asks only for what was neither typed nor answered before. Throws a sentence when that is wrong, or not the same. */
export async function readAnswers(call: Call, folder: string): Promise<Answers> {
  const file = join(folder, ANSWERS_FILE);
  const kept = readJson(file, Answers);
  if (kept === undefined) return newAnswers(call);
  const { given } = call;
  const remedy = existsSync(join(folder, APP_FILE))
    ? 'leave it out, or begin in another folder'
    : `leave it out, or remove ${file}: no App is made yet`;
  for (const [key, option] of Object.entries(OPTIONS)) {
    const typed = given.option(option);
    const before = kept[key as keyof typeof OPTIONS]; // The keys are its own.
    if (typed !== undefined && normalised(key, typed) !== before && !isLoginOf(typed, before))
      throw wrongUsage(
        `expected --${option} as at the beginning of this set-up (${file}), ${before ?? 'none'}, found ${typed}; ${remedy}`,
      );
  }
  for (const [key, flag] of Object.entries(FLAGS))
    if (given.has(flag) && !kept[key as keyof typeof FLAGS])
      throw wrongUsage(`expected no --${flag}, as at the beginning of this set-up (${file}); ${remedy}`);
  return kept;
}

const OPTIONS = {
  target: 'for',
  gatewayUrl: 'gateway-url',
  consoleUrl: 'console-url',
  githubUrl: 'github-url',
  organization: 'organization',
  operator: 'operator',
  repositories: 'repositories',
  storage: 'storage',
  name: 'name',
} as const;

const FLAGS = { teams: 'teams', mergeQueues: 'merge-queues' } as const;

function normalised(key: string, typed: string): string {
  return key.endsWith('Url') ? typed.replace(/\/+$/, '') : typed;
}

/** The id was added to the login of an operator. Nothing else that is answered holds a `#`. */
function isLoginOf(typed: string, before: string | undefined): boolean {
  return before?.startsWith(`${typed}#`) === true;
}

async function newAnswers(call: Call): Promise<Answers> {
  const { given } = call;
  const target = given.option('for') === 'kubernetes' ? 'kubernetes' : 'compose';
  const gatewayUrl = await answer(call, 'gateway-url', { question: GATEWAY_QUESTION, read: secureAddress });
  const consoleUrl = await answer(call, 'console-url', { question: CONSOLE_QUESTION, read: secureAddress });
  const githubUrl = githubAt(given.option('github-url') ?? 'https://github.com', place('github-url'));
  const organization = await organizationOf(call);
  const operator = await operatorOf(call, organization);
  const storage =
    target === 'kubernetes'
      ? await answer(call, 'storage', { question: STORAGE_QUESTION, read: (text) => text })
      : given.option('storage');
  const repositories = given.option('repositories');
  const answers: Answers = {
    ...{ version: 1, target, gatewayUrl, consoleUrl, githubUrl },
    ...defined({ organization }),
    ...(repositories !== undefined && { repositories: repositoriesIn(repositories, place('repositories')) }),
    ...(storage !== undefined && { storage: storage.replace(/\/+$/, '') }),
    name: nameIn(given.option('name') ?? nameFor(organization)),
    teams: given.has('teams'),
    mergeQueues: given.has('merge-queues'),
  };
  if (operator === undefined) return answers;
  // What only says what would be made asks nobody.
  const isKnown = given.has('dry-run');
  return { ...answers, operator: isKnown ? operator : await operatorWithId(call, operator, githubUrl) };
}

const GATEWAY_QUESTION = 'Address of the gateway, which GitHub reaches, like https://webhooks.example.org: ';
const CONSOLE_QUESTION = 'Address of the console, for people, like https://nereid.example.org: ';
const STORAGE_QUESTION =
  'Where records, plans and logs are kept, like s3://bucket/prefix, gs://bucket/prefix or az://account/container/prefix: ';
const ORGANIZATION_QUESTION = 'Organisation on GitHub to which the App belongs (none: to you): ';
const OPERATOR_QUESTION = 'Your login on GitHub, to operate it, like olga (none: nobody yet): ';

interface Asked<T> {
  readonly question: string;
  readonly read: (text: string, place: Place) => T;
}

async function answer<T>({ given, world }: Call, option: string, { question, read }: Asked<T>): Promise<T> {
  const typed = given.option(option);
  if (typed !== undefined) return read(typed, place(option));
  const needed = (text: string) => {
    if (text === '') throw wrongUsage(`setup needs --${option}`);
    return read(text, place(option));
  };
  return world.stdin.isTTY === true ? askUntilRight(world, question, needed) : needed('');
}

/** An App that is there already has an owner. */
async function organizationOf(call: Call): Promise<string | undefined> {
  const isKnown = call.given.option('app-id') !== undefined;
  return optional(call, 'organization', { question: ORGANIZATION_QUESTION, read: organizationIn, isKnown });
}

/** A person who owns the App needs no other name. */
async function operatorOf(call: Call, organization: string | undefined): Promise<string | undefined> {
  const isKnown = organization === undefined;
  return optional(call, 'operator', { question: OPERATOR_QUESTION, read: operatorIn, isKnown });
}

/** Undefined where nobody typed or answered anything. */
async function optional(
  { given, world }: Call,
  option: string,
  { question, read, isKnown }: Asked<string> & { readonly isKnown: boolean },
): Promise<string | undefined> {
  const typed = given.option(option);
  if (typed !== undefined) return read(typed, place(option));
  if (isKnown || world.stdin.isTTY !== true) return undefined;
  return askUntilRight(world, question, (text) => (text === '' ? undefined : read(text, place(option))));
}

function organizationIn(text: string, { option }: Place): string {
  if (/^[a-z\d][a-z\d-]{0,38}$/i.test(text)) return text;
  throw wrongUsage(`expected the name of an organisation on GitHub as ${option}, found ${text}`);
}

/** GitHub takes no longer names. */
const LONGEST_NAME = 34;

function nameFor(organization: string | undefined): string {
  return `Nereid${organization === undefined ? '' : ` ${organization}`}`.slice(0, LONGEST_NAME).trim();
}

function nameIn(text: string): string {
  if (text.length <= LONGEST_NAME && /^[\w .-]+$/.test(text)) return text;
  throw wrongUsage(`expected a name of at most ${LONGEST_NAME} letters, digits and spaces as --name, found ${text}`);
}

function place(option: string): Place {
  return { option: `--${option}` };
}
