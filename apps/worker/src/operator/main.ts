/** `main.ts status|unlock|cancel OWNER/NAME/ROOT`: what an operator does on a control machine while the forge is away. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '@nereid/config';
import { extractEnvironment } from '@nereid/process';
import { readConfig } from '../platform/config/config.ts';
import { createContext, type WorkerContext } from '../platform/context.ts';
import { readCommand, UsageError } from './command.ts';
import { runCommand } from './run-command.ts';
import { sentenceOf } from './sentence-of.ts';

/** `refused` also where something that the command needs is away. */
const EXIT = { done: 0, refused: 1, wrongUsage: 2 } as const;

const sayTo = (stream: NodeJS.WriteStream) => (line: string) => void stream.write(`${line}\n`);

async function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2));
  const environment = extractEnvironment(process.env);
  const config = readConfig(environment, process.stdout.isTTY);
  if (!config.roles.includes('control'))
    throw new UsageError('expected a machine whose worker has the role control, found one of other roles');
  // The worker of this machine holds its own folder.
  const dataDir = await mkdtemp(join(tmpdir(), 'nereid-operator-'));
  try {
    const context = (await createContext({ ...config, roles: ['control'], dataDir }, environment)) as WorkerContext; // Of control.
    try {
      const { isDone, text } = await runCommand(context, command, { report: sayTo(process.stderr) });
      sayTo(isDone ? process.stdout : process.stderr)(text);
      return isDone ? EXIT.done : EXIT.refused;
    } finally {
      await context.close();
    }
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const sentence = sentenceOf(error);
  if (sentence === undefined) throw error;
  sayTo(process.stderr)(sentence);
  const isWrong = error instanceof UsageError || error instanceof ConfigurationError;
  process.exitCode = isWrong ? EXIT.wrongUsage : EXIT.refused;
}
