/** The App: the one that is kept, one that somebody has made, or one that GitHub makes now. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from '../../call.ts';
import { wrongUsage } from '../../exit-code.ts';
import type { Answers } from '../kept/answers.ts';
import { APP_FILE, keepApp, PRIVATE_KEY_FILE, readApp, type App } from '../kept/app.ts';
import { convertCode } from './convert-code.ts';
import { registerApp } from './register-app.ts';
import { useApp } from './use-app.ts';

export interface ObtainOptions {
  readonly folder: string;
  readonly answers: Answers;
  /** Of an App that somebody has made. */
  readonly appId: number | undefined;
  /** Of the page on this machine; undefined: any free one. */
  readonly port: number | undefined;
}

export interface Obtained {
  readonly app: App;
  /** What the person has to do on the page of an App that they made. */
  readonly toDo: readonly string[];
}

/** GitHub gives a person one hour for all steps. */
const HOUR_MS = 3_600_000;

export async function obtainApp(call: Call, options: ObtainOptions): Promise<Obtained> {
  const { screen } = call;
  const { folder, answers, appId } = options;
  const before = readApp(folder);
  if (before !== undefined) {
    if (appId !== undefined && appId !== before.id)
      throw wrongUsage(`expected the App of ${join(folder, APP_FILE)}, ${before.id}, found --app-id ${appId}`);
    screen.line(`The App ${before.id} is there: ${before.url}`);
    return { app: before, toDo: [] };
  }
  if (appId !== undefined) {
    const { app, secrets, toDo } = await useApp(call, folder, answers, appId);
    keepApp(folder, app, secrets);
    screen.line(`GitHub knows the App ${app.id} by its key: ${app.url}`);
    return { app, toDo };
  }
  if (existsSync(join(folder, PRIVATE_KEY_FILE)))
    throw wrongUsage(
      `expected no ${PRIVATE_KEY_FILE} in ${folder} without ${APP_FILE}; say to which App it belongs with --app-id`,
    );
  const app = await register(call, options);
  screen.line(`GitHub made the App ${app.id}: ${app.url}`);
  return { app, toDo: [] };
}

function register({ screen, within }: Call, { folder, answers, port: asked }: ObtainOptions): Promise<App> {
  const signal = within(HOUR_MS, 'nobody made the App on GitHub; run nereid setup again');
  return registerApp({
    ...{ answers, signal, port: asked },
    isOpen(address, port) {
      screen.line('To make the GitHub App, open this page in a browser on this machine, within an hour:');
      screen.line(`  ${address}`);
      screen.line(
        `From elsewhere: ssh -N -L ${port}:127.0.0.1:${port} and the name of this machine; Ctrl-C ends the set-up.`,
      );
    },
    async convert(code) {
      const { app, secrets } = await convertCode(answers, code, signal);
      keepApp(folder, app, secrets);
      return app;
    },
  });
}
