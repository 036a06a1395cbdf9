/** What a set-up would do, without doing it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { APP_FILE } from './kept/app.ts';
import { manifestOf, newAppPage } from './app/manifest.ts';
import { ANSWERS_FILE, type Answers } from './kept/answers.ts';
import { ENVIRONMENT_FILE } from './files/compose-files.ts';
import { SECRETS, SECRETS_FILE, VALUES_FILE } from './files/kubernetes-files.ts';
import { SERVER_FILE, serverFile } from './files/server-file.ts';

export interface DryRunInput {
  readonly folder: string;
  readonly appId: number | undefined;
}

export function dryRun(answers: Answers, { folder, appId }: DryRunInput): readonly string[] {
  const own = answers.target === 'compose' ? [ENVIRONMENT_FILE] : [SECRETS_FILE, VALUES_FILE];
  const secrets = [...new Set([...Object.values(SECRETS).flat(), 'postgres-password'])];
  const files = [ANSWERS_FILE, ...secrets, APP_FILE, SERVER_FILE, ...own];
  const isThere = (name: string) => existsSync(join(folder, name));
  const app =
    appId === undefined
      ? [
          `At ${newAppPage(answers)}, you would be asked to make this App:`,
          ...JSON.stringify(manifestOf(answers, 'http://127.0.0.1:PORT/callback'), undefined, 2).split('\n'),
        ]
      : [`GitHub would be asked whether the private key belongs to the App ${appId}.`];
  const { operator } = answers;
  const isNamedById = operator === undefined || operator.includes('#');
  const isOperated = answers.organization === undefined || operator !== undefined;
  return [
    'Nothing is made, because of --dry-run.',
    '',
    ...(isThere(APP_FILE) ? ['The App is there.'] : app),
    '',
    `In ${folder}:`,
    ...files.map((name) => `  ${name}: ${isThere(name) ? 'would be left as it is' : 'would be made'}`),
    '',
    `${SERVER_FILE}:`,
    ...serverFile(isNamedById ? answers : { ...answers, operator: `${operator}#ID` }, {
      owner: answers.organization ?? 'OWNER',
      clientId: 'CLIENT_ID',
    })
      .trimEnd()
      .split('\n'),
    ...(isNamedById ? [] : ['', `GitHub would be asked for the id of ${operator}.`]),
    ...(isOperated ? [] : ['', 'Nobody could use nereid doctor or drain hosts: name somebody with --operator LOGIN.']),
  ];
}
