/** The App, as it is kept: who it is in a file of its own, its secrets in files that processes read. */
import { join } from 'node:path';
import type { Secret } from '@nereid/config';
import { z } from 'zod';
import { EXIT, ExitError, wrongUsage } from '../../exit-code.ts';
import { readJson, readText } from './read-json.ts';
import { writeNew } from './write-new.ts';

/** No secret. */
export const App = z.object({
  version: z.literal(1),
  id: z.int().positive(),
  /** Its page on GitHub, from which it is installed. */
  url: z.string(),
  /** The login of its owner. */
  owner: z.string(),
  /** The id of its owner's account; undefined where an organisation owns it. */
  personId: z.int().positive().optional(),
  /** For the login of people; undefined where the set-up has no client secret. */
  clientId: z.string().optional(),
});
export type App = z.infer<typeof App>;

/** As GitHub says who owns an App. */
export const Owner = z.object({ login: z.string(), id: z.int().positive(), type: z.string() });

export function ownerIn({ login, id, type }: z.infer<typeof Owner>): Pick<App, 'owner' | 'personId'> {
  return { owner: login, ...(type === 'User' && { personId: id }) };
}

export interface AppSecrets {
  /** PEM. */
  readonly privateKey: Secret;
  readonly webhookSecret: Secret;
  readonly clientSecret: Secret | undefined;
}

export const APP_FILE = 'github-app.json';
export const PRIVATE_KEY_FILE = 'github-app-private-key';
export const WEBHOOK_SECRET_FILE = 'github-webhook-secret';
export const CLIENT_SECRET_FILE = 'github-client-secret';

/** Undefined when there is none yet. Throws a sentence when there is a part of one. */
export function readApp(folder: string): App | undefined {
  const app = readJson(join(folder, APP_FILE), App);
  if (app === undefined) return undefined;
  for (const name of [
    PRIVATE_KEY_FILE,
    WEBHOOK_SECRET_FILE,
    ...(app.clientId === undefined ? [] : [CLIENT_SECRET_FILE]),
  ])
    if (readText(join(folder, name)) === undefined)
      throw wrongUsage(
        `expected ${name} beside ${APP_FILE} in ${folder}, found nothing; put it there, from the page ${app.url}`,
      );
  return app;
}

/** The last file says that all are there. Throws when somebody else has kept another App meanwhile. */
export function keepApp(folder: string, app: App, { privateKey, webhookSecret, clientSecret }: AppSecrets): void {
  const secrets = [
    [PRIVATE_KEY_FILE, privateKey],
    [WEBHOOK_SECRET_FILE, webhookSecret],
    ...(clientSecret === undefined ? [] : ([[CLIENT_SECRET_FILE, clientSecret]] as const)),
  ] as const;
  for (const [name, secret] of secrets) {
    const text = `${secret.reveal().trim()}\n`;
    const file = join(folder, name);
    if (!writeNew(file, text) && readText(file)?.trim() !== text.trim()) throw taken(file, app);
  }
  writeNew(join(folder, APP_FILE), `${JSON.stringify(app, undefined, 2)}\n`);
}

function taken(file: string, { id, url }: App): ExitError {
  return new ExitError(
    EXIT.refused,
    `expected no other ${file}, found one of another App; delete the App ${id} at ${url}, or move the file away and give --app-id ${id}`,
  );
}
