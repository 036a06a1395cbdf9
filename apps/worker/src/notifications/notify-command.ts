/** What an operator typed after `nereid notify`. */
import { parseArgs } from 'node:util';
import { UsageError } from '../operator/command.ts';

export type NotifyCommand =
  { readonly verb: 'status' } | { readonly verb: 'test' | 'retry'; readonly destination: string };

const USAGE = `Usage, on a machine whose worker has the role control, with that worker's environment:

  node apps/worker/src/notifications/main.ts status
  node apps/worker/src/notifications/main.ts test NAME
  node apps/worker/src/notifications/main.ts retry NAME

NAME is the name of a destination in notifications of the server's file.`;

/** Throws a `UsageError`. */
export function readNotifyCommand(args: readonly string[]): NotifyCommand {
  const [verb = '', destination = '', ...more] = positionalsOf(args);
  if (verb !== 'status' && verb !== 'test' && verb !== 'retry')
    throw new UsageError(`expected status, test or retry, found ${verb === '' ? 'nothing' : verb}\n\n${USAGE}`);
  if (verb === 'status' && destination === '') return { verb };
  if (verb === 'status' || destination === '' || more.length > 0)
    throw new UsageError(
      `expected ${verb === 'status' ? 'nothing else' : 'one name of a destination'}, found ${[destination, ...more].join(' ') || 'none'}\n\n${USAGE}`,
    );
  return { verb, destination };
}

function positionalsOf(args: readonly string[]): readonly string[] {
  try {
    return parseArgs({ args: [...args], options: {}, allowPositionals: true }).positionals;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}
