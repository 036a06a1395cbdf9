/** The steps of a set-up. Each looks first whether it was done: one that was interrupted goes on where it stopped. */
import { chownSync, existsSync, lstatSync, readdirSync, symlinkSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { isAbsolute, join, resolve } from 'node:path';
import { readServerConfig } from '@nereid/config';
import { makeKeys } from '@nereid/config/keys';
import type { Call } from '../call.ts';
import { errorFields } from '../error-fields.ts';
import { EXIT, ExitError, wrongUsage, type ExitCode } from '../exit-code.ts';
import { keepAnswers, readAnswers, type Answers } from './answers.ts';
import { APP_FILE, CLIENT_SECRET_FILE, keepApp, PRIVATE_KEY_FILE, readApp, type App } from './app/app.ts';
import { convertCode } from './app/convert-code.ts';
import { registerApp } from './app/register-app.ts';
import { useApp } from './app/use-app.ts';
import { dryRun } from './dry-run.ts';
import { composeEnvironment, ENVIRONMENT_FILE } from './files/compose-files.ts';
import { kubernetesSecrets, kubernetesValues, SECRETS_FILE, VALUES_FILE } from './files/kubernetes-files.ts';
import { readText } from './files/read-json.ts';
import { serverFile, SERVER_FILE } from './files/server-file.ts';
import { writeNew } from './files/write-new.ts';
import { nextSteps } from './next-steps.ts';

/** The user of the images, which reads the secrets. */
const CONTAINER_USER = 1_000;

/** GitHub gives a person one hour for all steps. */
const HOUR_MS = 3_600_000;

export async function setUp(call: Call): Promise<ExitCode> {
  const { given, screen } = call;
  const folder = folderOf(call);
  const appId = appIdIn(given.option('app-id'));
  const port = portIn(given.option('port'));
  const answers = await readAnswers(call, folder);
  checkServerFile(answers);
  if (given.has('dry-run')) {
    for (const line of dryRun(answers, { folder, appId })) screen.line(line);
    return EXIT.done;
  }
  keepAnswers(folder, answers);
  await makeSecrets(call, folder);
  const { app, toDo } = await appOf(call, { folder, answers, appId, port });
  writeFiles(call, { folder, answers, app });
  const composeVariable = answers.target === 'compose' ? linkEnvironment(call, folder) : undefined;
  const isOfAnotherUser = answers.target === 'compose' && !giveToContainers(call, folder);
  screen.line('');
  for (const line of nextSteps({ answers, app, folder, toDo, composeVariable, isOfAnotherUser })) screen.line(line);
  return EXIT.done;
}

/** Keys must outlive a clone. */
function folderOf({ given, world }: Call): string {
  const [typed] = given.all('FOLDER');
  if (typed !== undefined) return resolve(world.folder, typed);
  if (world.user === 0) return '/etc/nereid';
  const { XDG_CONFIG_HOME: configuration = '' } = world.env;
  return join(isAbsolute(configuration) ? configuration : join(world.home, '.config'), 'nereid', 'production');
}

function appIdIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,11}$/.test(text)) return Number(text);
  throw wrongUsage(`expected the number of an App as --app-id, found ${text}; it is on the page of the App`);
}

/** Stands for one that GitHub has not made yet. */
const CLIENT_ID = 'Iv23liExample';

/** Before anything is made. The owner of the App may not be known yet. */
function checkServerFile(answers: Answers): void {
  const read = readServerConfig(serverFile(answers, { owner: answers.organization ?? 'owner', clientId: CLIENT_ID }));
  if (read.kind === 'ok') return;
  const problems = read.problems.map(({ path, message }) => `${path}: ${message}`);
  throw wrongUsage(`expected answers that make a server's file, found: ${problems.join('; ')}`);
}

async function makeSecrets({ screen }: Call, folder: string): Promise<void> {
  const keys = await makeKeys(folder);
  if (keys.kind === 'failed') throw wrongUsage(keys.why);
  const password = writeNew(join(folder, 'postgres-password'), `${randomBytes(32).toString('hex')}\n`);
  const made = keys.files.filter((line) => line.endsWith(': made')).length + (password ? 1 : 0);
  const left = keys.files.length + 1 - made;
  screen.line(`${folder}: ${made} files of keys made${left === 0 ? '' : `, ${left} left as they were`}`);
}

interface AppInput {
  readonly folder: string;
  readonly answers: Answers;
  readonly appId: number | undefined;
  readonly port: number | undefined;
}

async function appOf(
  call: Call,
  { folder, answers, appId, port }: AppInput,
): Promise<{ app: App; toDo: readonly string[] }> {
  const { screen } = call;
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
  const app = await register(call, { folder, answers, port });
  screen.line(`GitHub made the App ${app.id}: ${app.url}`);
  return { app, toDo: [] };
}

function register(call: Call, { folder, answers, port: asked }: Omit<AppInput, 'appId'>): Promise<App> {
  const signal = call.within(HOUR_MS, 'nobody made the App on GitHub; run nereid setup again');
  return registerApp({
    ...{ answers, signal, port: asked },
    isOpen: (address, port) => {
      call.screen.line('To make the GitHub App, open this page in a browser on this machine, within an hour:');
      call.screen.line(`  ${address}`);
      call.screen.line(
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

function portIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw wrongUsage(`expected a port from 1 to 65535 as --port, found ${text}`);
}

interface FilesInput {
  readonly folder: string;
  readonly answers: Answers;
  readonly app: App;
}

/** What somebody has changed since stays as it is. */
function writeFiles({ screen }: Call, { folder, answers, app }: FilesInput): void {
  const at = (name: string) => join(folder, name);
  const server = readText(at(SERVER_FILE)) ?? serverFile(answers, app);
  const clientSecret = app.clientId === undefined ? undefined : readText(at(CLIENT_SECRET_FILE))?.trim();
  const common = [SERVER_FILE, server, READABLE] as const;
  const files: readonly (readonly [string, string, number?])[] =
    answers.target === 'compose'
      ? [
          common,
          [ENVIRONMENT_FILE, composeEnvironment({ answers, app, folder, serverFile: at(SERVER_FILE), clientSecret })],
        ]
      : [
          common,
          [SECRETS_FILE, kubernetesSecrets(app, (name) => readText(at(name)) ?? '')],
          [VALUES_FILE, kubernetesValues(answers, app, server), READABLE],
        ];
  for (const [name, text, mode] of files)
    screen.line(`${name}: ${writeNew(at(name), text, mode) ? 'made' : 'left as it was'}`);
}

/** Of what is no secret, and read by another user in a container. */
const READABLE = 0o644;

/** Lets docker compose find the environment by itself, in a clone. Returns the variable that it needs otherwise. */
function linkEnvironment({ world, screen }: Call, folder: string): string | undefined {
  const environment = join(folder, ENVIRONMENT_FILE);
  const variable = `COMPOSE_ENV_FILES=${environment}`;
  if (!/^name: nereid$/m.test(readText(join(world.folder, 'docker-compose.yml')) ?? '')) return variable;
  const link = join(world.folder, '.env');
  if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) {
    const isOurs = readText(link) === readText(environment);
    screen.line(`.env: left as it was${isOurs ? '' : ', which is another environment'}`);
    return isOurs ? undefined : variable;
  }
  symlinkSync(environment, link);
  screen.line(`.env: leads to ${environment}`);
  return undefined;
}

/** What no container reads. */
const OF_THE_OPERATOR = new Set(['setup.json', APP_FILE, ENVIRONMENT_FILE, SERVER_FILE, 'temporal-ca-key.pem']);

/** False where only an administrator can. */
function giveToContainers({ world }: Call, folder: string): boolean {
  if (world.user !== 0) return world.user === undefined || world.user === CONTAINER_USER;
  try {
    for (const name of readdirSync(folder).filter((each) => !OF_THE_OPERATOR.has(each)))
      chownSync(join(folder, name), CONTAINER_USER, CONTAINER_USER);
    return true;
  } catch (cause) {
    throw new ExitError(
      EXIT.refused,
      `expected to give ${folder} to the user ${CONTAINER_USER}, found: ${errorFields(cause).message}`,
    );
  }
}
