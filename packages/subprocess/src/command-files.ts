import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from './error-code.ts';
import { isAlive, parseIdentity, type ProcessIdentity } from './process-identity.ts';
import { statusOfShell, type ExitStatus } from './result.ts';

/** The files of a supervised command in its folder: all that a later worker process knows about the command. */
export interface CommandFiles {
  /** stdout and stderr, as they came. Created exclusively: a name is used once in a folder. */
  readonly output: string;
  /** Written by the supervisor before the command runs. */
  readonly process: string;
  /** Written by the supervisor after the command ended: its exit code and a line break. */
  readonly exit: string;
}

const OUTPUT_SUFFIX = '.output';

export function commandFiles(folder: string, name: string): CommandFiles {
  const base = path.resolve(folder, name);
  return { output: `${base}${OUTPUT_SUFFIX}`, process: `${base}.process`, exit: `${base}.exit` };
}

/** The names of a folder's commands that still run. */
export async function runningCommands(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder))
    .filter((file) => file.endsWith(OUTPUT_SUFFIX))
    .map((file) => file.slice(0, -OUTPUT_SUFFIX.length));
  const alive = await Promise.all(names.map((name) => isRunning(commandFiles(folder, name))));
  return names.filter((_, index) => alive[index]);
}

async function isRunning(files: CommandFiles): Promise<boolean> {
  const identity = await readIdentity(files);
  return identity !== undefined && (await isAlive(identity));
}

/** Undefined while the supervisor has not recorded itself: the command has not run. */
export async function readIdentity(files: CommandFiles): Promise<ProcessIdentity | undefined> {
  const record = await readIfThere(files.process);
  return record === undefined ? undefined : parseIdentity(record);
}

/** Undefined while the command runs, and for ever when its supervisor was killed. */
export async function readStatus(files: CommandFiles): Promise<Partial<ExitStatus> | undefined> {
  const record = await readIfThere(files.exit);
  return record?.endsWith('\n') ? statusOfShell(Number(record)) : undefined;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
