/** Trades the code that the person brought back for the App and its secrets. It counts once. */
import { createPrivateKey } from 'node:crypto';
import { githubApiUrlOf, Secret } from '@nereid/config';
import { z } from 'zod';
import { EXIT, ExitError } from '../../exit-code.ts';
import type { Answers } from '../kept/answers.ts';
import { Owner, ownerIn, type App, type AppSecrets } from '../kept/app.ts';
import { askGitHub } from './ask-github.ts';
import { appsPage } from './manifest.ts';

const secret = z
  .string()
  .min(16)
  .transform((text) => new Secret(text));

/** What of `POST /app-manifests/{code}/conversions` we use. */
const Converted = z.object({
  id: z.int().positive(),
  html_url: z.url({ protocol: /^https?$/ }),
  owner: Owner,
  client_id: z.string().regex(/^[\w.-]+$/),
  client_secret: secret,
  webhook_secret: secret,
  pem: z
    .string()
    .refine(isPrivateKey)
    .transform((text) => new Secret(text)),
});

export interface MadeApp {
  readonly app: App;
  readonly secrets: AppSecrets;
}

/** Throws a sentence when GitHub does not know the code, or does not answer. */
export async function convertCode(answers: Answers, code: string, signal: AbortSignal): Promise<MadeApp> {
  const url = `${githubApiUrlOf(answers.githubUrl)}/app-manifests/${encodeURIComponent(code)}/conversions`;
  const answer = await ask(answers, url, signal);
  if (answer.kind === 'other') {
    const why =
      answer.status === 404 ? 'GitHub does not know it: it was used already, or is older than an hour' : answer.found;
    throw new ExitError(
      EXIT.refused,
      `expected the App for the code that came back, found: ${why}; ${leftOver(answers)}`,
    );
  }
  const { id, html_url, owner, client_id, ...given } = answer.value;
  const app: App = { version: 1, id, url: html_url, ...ownerIn(owner), clientId: client_id };
  const secrets = { privateKey: given.pem, webhookSecret: given.webhook_secret, clientSecret: given.client_secret };
  return { app, secrets };
}

async function ask(answers: Answers, url: string, signal: AbortSignal) {
  try {
    return await askGitHub({ method: 'POST', url }, Converted, signal);
  } catch (cause) {
    if (!(cause instanceof ExitError) || cause.exitCode !== EXIT.notNow) throw cause;
    throw new ExitError(EXIT.notNow, `${cause.message}. ${leftOver(answers)}`, { cause });
  }
}

/** The secrets of an App are given once. */
function leftOver(answers: Answers): string {
  return `the App is there without its secrets: delete it at ${appsPage(answers)}, and run nereid setup again`;
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
