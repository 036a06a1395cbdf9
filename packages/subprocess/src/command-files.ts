import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from './error-code.ts';
import { isAlive, parseIdentity, type ProcessIdentity } from './process/process-identity.ts';
import { SIGNAL_BASE, statusOfShell, type EndFacts } from './result.ts';
import { isSandboxAlive, parseSandboxStatus, type SandboxStatus } from './sandbox/sandbox-status.ts';

/** The files of a supervised command in its folder: all that a later worker process knows about the command. */
export interface CommandFiles {
  /** stdout and stderr, as they came. Created exclusively: a name is used once in a folder. */
  readonly output: string;
  /** Written by the supervisor before the command runs. */
  readonly process: string;
  /** Written by the supervisor after the command ended: its exit code and a line break. */
  readonly exit: string;
  /** Written by bubblewrap; absent when the command has no sandbox. */
  readonly sandbox: string;
}

/** Bubblewrap says one line. */
const WORDS_LIMIT = 500;

const OUTPUT_SUFFIX = '.output';

export function commandFiles(folder: string, name: string): CommandFiles {
  const base = path.resolve(folder, name);
  return {
    output: `${base}${OUTPUT_SUFFIX}`,
    process: `${base}.process`,
    exit: `${base}.exit`,
    sandbox: `${base}.sandbox`,
  };
}

/** The names of a folder's commands that still run. */
export async function runningCommands(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder))
    .filter((file) => file.endsWith(OUTPUT_SUFFIX))
    .map((file) => file.slice(0, -OUTPUT_SUFFIX.length));
  const alive = await Promise.all(names.map((name) => isRunning(commandFiles(folder, name))));
  return names.filter((_, index) => alive[index]);
}

/** Also while only the sandbox is left: Terraform in it may still be at work. */
export async function isRunning(files: CommandFiles): Promise<boolean> {
  const identity = await readIdentity(files);
  if (identity !== undefined && (await isAlive(identity))) return true;
  const sandbox = await readSandbox(files);
  return sandbox !== undefined && (await isSandboxAlive(sandbox));
}

/** Undefined while the supervisor has not recorded itself: the command has not run. */
export async function readIdentity(files: CommandFiles): Promise<ProcessIdentity | undefined> {
  const record = await readIfThere(files.process);
  return record === undefined ? undefined : parseIdentity(record);
}

/** Undefined while the command runs, and for ever when those who would have recorded its end were killed. */
export async function readEnd(files: CommandFiles): Promise<CommandEndFacts | undefined> {
  const record = await readIfThere(files.exit);
  if (record?.endsWith('\n')) return endOf(files, Number(record));
  // Its supervisor is gone, but bubblewrap went on without it.
  const exitCode = (await readSandbox(files))?.exitCode;
  return exitCode === undefined ? undefined : { status: statusOfShell(exitCode) };
}

/** How the command ended, by the exit code of its supervisor. */
export async function endOf(files: CommandFiles, exitCode: number): Promise<CommandEndFacts> {
  const sandbox = await readSandbox(files);
  if (sandbox === undefined) return { status: statusOfShell(exitCode) };
  if (sandbox.exitCode !== undefined) return { status: statusOfShell(sandbox.exitCode) };
  // Bubblewrap itself was killed or failed, and whether and how the command went on is unknown.
  if (sandbox.isReady || exitCode > SIGNAL_BASE) return {};
  return {
    whyNotStarted: `its sandbox could not be made: ${(await readFile(files.output, 'utf8')).trim().slice(-WORDS_LIMIT)}`,
  };
}

export type CommandEndFacts = Pick<EndFacts, 'status' | 'whyNotStarted'>;

/** Undefined when the command has no sandbox. */
export async function readSandbox(files: CommandFiles): Promise<SandboxStatus | undefined> {
  const record = await readIfThere(files.sandbox);
  return record === undefined ? undefined : parseSandboxStatus(record);
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
