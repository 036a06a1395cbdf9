/** An App that somebody has made already: its key is tried on GitHub, which says the rest. */
import { createPrivateKey, randomBytes, sign, type KeyObject } from 'node:crypto';
import { join, resolve } from 'node:path';
import { githubApiUrlOf, Secret } from '@nereid/config';
import { z } from 'zod';
import type { Call } from '../../call.ts';
import { EXIT, ExitError, wrongUsage } from '../../exit-code.ts';
import type { Answers } from '../kept/answers.ts';
import { readText } from '../kept/read-json.ts';
import { CLIENT_SECRET_FILE, Owner, ownerIn, PRIVATE_KEY_FILE, WEBHOOK_SECRET_FILE, type App } from '../kept/app.ts';
import { askGitHub } from './ask-github.ts';
import type { MadeApp } from './convert-code.ts';
import { needsOf } from './manifest.ts';

/** What of `GET /app` we use. */
const Found = z.object({
  id: z.int(),
  html_url: z.url({ protocol: /^https?$/ }),
  owner: Owner,
  client_id: z.string().regex(/^[\w.-]+$/),
  permissions: z.record(z.string(), z.string()),
  events: z.array(z.string()),
});

export interface UsedApp extends MadeApp {
  /** What the person has to do on the page of the App. */
  readonly toDo: readonly string[];
}

/** Throws a sentence when the key is not the App's. */
export async function useApp(call: Call, folder: string, answers: Answers, id: number): Promise<UsedApp> {
  const { world } = call;
  const pem = fileOf(call, 'private-key-file') ?? readText(join(folder, PRIVATE_KEY_FILE));
  if (pem === undefined) throw wrongUsage('setup needs --private-key-file with --app-id');
  const token = appToken(id, keyIn(pem), world.now());
  const url = `${githubApiUrlOf(answers.githubUrl)}/app`;
  const answer = await askGitHub({ method: 'GET', url, token }, Found, world.signal);
  if (answer.kind === 'other')
    throw new ExitError(
      EXIT.refused,
      `expected GitHub to know the App ${id} by this private key, found ${answer.found}; look at the id and the keys on the page of the App, and at the clock of this machine`,
    );
  const { value: found } = answer;
  const hook = fileOf(call, 'webhook-secret-file') ?? readText(join(folder, WEBHOOK_SECRET_FILE));
  const clientSecret = fileOf(call, 'client-secret-file') ?? readText(join(folder, CLIENT_SECRET_FILE));
  const app: App = {
    ...{ version: 1, id, url: found.html_url, ...ownerIn(found.owner) },
    ...(clientSecret !== undefined && { clientId: found.client_id }),
  };
  const secrets = {
    privateKey: new Secret(pem),
    webhookSecret: new Secret(hook ?? randomBytes(32).toString('hex')),
    clientSecret: clientSecret === undefined ? undefined : new Secret(clientSecret),
  };
  return { app, secrets, toDo: toDoFor(found, answers, { folder, isHookNew: hook === undefined }) };
}

/** As long as a request takes, with clocks that differ. Seconds. */
const TOKEN_LIFE_S = 300;
const CLOCK_TOLERANCE_S = 60;

/** By GitHub's guide: a JWT with RS256, from the id of the App. */
function appToken(id: number, key: KeyObject, nowMs: number): string {
  const nowS = Math.floor(nowMs / 1_000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iat: nowS - CLOCK_TOLERANCE_S, exp: nowS + TOKEN_LIFE_S, iss: String(id) };
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`;
}

function keyIn(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // The error would name the part of the parser that failed.
  }
  throw wrongUsage('expected an RSA private key as PEM in the file of --private-key-file, found something else');
}

function fileOf({ given, world }: Call, option: string): string | undefined {
  const name = given.option(option);
  if (name === undefined) return undefined;
  const text = readText(resolve(world.folder, name))?.trim();
  if (text === undefined || text === '')
    throw wrongUsage(`expected a file with a secret as --${option}, found nothing at ${name}`);
  return text;
}

interface Kept {
  readonly folder: string;
  readonly isHookNew: boolean;
}

function toDoFor(
  { permissions, events }: z.infer<typeof Found>,
  answers: Answers,
  { folder, isHookNew }: Kept,
): readonly string[] {
  const needs = needsOf(answers);
  const missing = Object.entries(needs.permissions)
    .filter(([name, level]) => !(permissions[name] === level || permissions[name] === 'write'))
    .map(([name, level]) => `${name}: ${level}`);
  const deaf = needs.events.filter((name) => !events.includes(name));
  return [
    ...(missing.length === 0 ? [] : [`grant it the permissions ${missing.join(', ')}`]),
    ...(deaf.length === 0 ? [] : [`subscribe it to the events ${deaf.join(', ')}`]),
    ...(isHookNew ? [`give it the webhook secret in ${join(folder, WEBHOOK_SECRET_FILE)}`] : []),
    `see that its webhook URL is ${answers.gatewayUrl}/events, and its callback URL ${answers.consoleUrl}/login/callback`,
  ];
}
