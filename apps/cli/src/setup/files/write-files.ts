/** Writes what starts the processes. What is there already stays as it is: somebody may have changed it. */
import { join } from 'node:path';
import type { Call } from '../../call.ts';
import type { App } from '../kept/app.ts';
import type { Answers } from '../kept/answers.ts';
import { composeEnvironment, ENVIRONMENT_FILE } from './compose-files.ts';
import { kubernetesSecrets, kubernetesValues, SECRETS_FILE, VALUES_FILE } from './kubernetes-files.ts';
import { readText } from '../kept/read-json.ts';
import { serverFile, SERVER_FILE } from './server-file.ts';
import { writeNew } from '../kept/write-new.ts';

export interface FilesInput {
  readonly folder: string;
  readonly answers: Answers;
  readonly app: App;
}

/** Of what is no secret, and read by another user in a container. */
const READABLE = 0o644;

export function writeFiles({ screen }: Call, input: FilesInput): void {
  const server = readText(join(input.folder, SERVER_FILE)) ?? serverFile(input.answers, input.app);
  const files = [
    { name: SERVER_FILE, text: server, mode: READABLE },
    ...(input.answers.target === 'compose' ? composeFiles(input) : kubernetesFiles(input, server)),
  ];
  for (const { name, text, mode } of files)
    screen.line(`${name}: ${writeNew(join(input.folder, name), text, mode) ? 'made' : 'left as it was'}`);
}

interface NewFile {
  readonly name: string;
  readonly text: string;
  /** Undefined: for its owner alone. */
  readonly mode: number | undefined;
}

function composeFiles({ folder, answers, app }: FilesInput): readonly NewFile[] {
  const text = composeEnvironment({ answers, app, folder, serverFile: join(folder, SERVER_FILE) });
  return [{ name: ENVIRONMENT_FILE, text, mode: undefined }];
}

function kubernetesFiles({ folder, answers, app }: FilesInput, server: string): readonly NewFile[] {
  return [
    {
      name: SECRETS_FILE,
      text: kubernetesSecrets(app, (name) => readText(join(folder, name)) ?? ''),
      mode: undefined,
    },
    { name: VALUES_FILE, text: kubernetesValues(answers, app, server), mode: READABLE },
  ];
}
