/** `main.ts status|test|retry [NAME]`: what an operator does about the destinations of notifications, on a control machine. */
import { ConfigurationError } from '@nereid/config';
import { extractEnvironment } from '@nereid/process';
import { createOutbox, openObjectStore } from '@nereid/storage';
import { UsageError } from '../operator/command.ts';
import { sentenceOf } from '../operator/sentence-of.ts';
import { readConfig } from '../platform/config/config.ts';
import { readNotifyCommand } from './notify-command.ts';
import { runNotify } from './run-notify.ts';

/** `refused`: also where a destination did not take the sample. */
const EXIT = { done: 0, refused: 1, wrongUsage: 2 } as const;

async function main(): Promise<number> {
  const command = readNotifyCommand(process.argv.slice(2));
  const { roles, server, storage, links } = readConfig(extractEnvironment(process.env), process.stdout.isTTY);
  if (!roles.includes('control'))
    throw new UsageError('expected a machine whose worker has the role control, found one of other roles');
  const store = await openObjectStore(storage.deployments, storage);
  try {
    const { notifications: destinations } = server.current();
    const tools = { destinations, outbox: createOutbox(store), consoleUrl: links.consoleUrl };
    const { isDone, text } = await runNotify(tools, command);
    (isDone ? process.stdout : process.stderr).write(`${text}\n`);
    return isDone ? EXIT.done : EXIT.refused;
  } finally {
    store.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const sentence = sentenceOf(error);
  if (sentence === undefined) throw error;
  process.stderr.write(`${sentence}\n`);
  const isWrong = error instanceof UsageError || error instanceof ConfigurationError;
  process.exitCode = isWrong ? EXIT.wrongUsage : EXIT.refused;
}
