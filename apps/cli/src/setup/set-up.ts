/** The steps of a set-up. Each looks first whether it was done: one that was interrupted goes on where it stopped. */
import { randomBytes } from 'node:crypto';
import { isAbsolute, join, resolve } from 'node:path';
import { readServerConfig } from '@nereid/config';
import { makeKeys } from '@nereid/config/keys';
import type { Call } from '../call.ts';
import { EXIT, wrongUsage, type ExitCode } from '../exit-code.ts';
import { keepAnswers, type Answers } from './kept/answers.ts';
import { readAnswers } from './read-answers.ts';
import { obtainApp } from './app/obtain-app.ts';
import { dryRun } from './dry-run.ts';
import { giveToContainers, linkEnvironment } from './files/compose-place.ts';
import { serverFile } from './files/server-file.ts';
import { writeFiles } from './files/write-files.ts';
import { writeNew } from './kept/write-new.ts';
import { nextSteps } from './next-steps.ts';

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
  const { app, toDo } = await obtainApp(call, { folder, answers, appId, port });
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

function portIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw wrongUsage(`expected a port from 1 to 65535 as --port, found ${text}`);
}
