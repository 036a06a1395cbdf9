import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { findProgram, type Command } from './command.ts';
import { chooseEnd, type CommandResult, type ExitStatus } from './result.ts';
import { createStopper, signalGroupOf, type Stopper, type StopTriggers } from './stopper.ts';

export interface RunOptions extends Command, StopTriggers {
  /** Beyond this, the command is stopped: default `CAPTURE_LIMIT_BYTES`. */
  readonly outputLimitBytes?: number;
  /** Where stdout goes instead of into memory: a file that must not exist yet. */
  readonly stdoutFile?: string;
}

export type RunResult = CommandResult & {
  /** Decoded as UTF-8, what is invalid replaced; empty with `stdoutFile`. */
  readonly stdout: string;
  readonly stderr: string;
};

/** What is captured is held in memory. Short commands answer in kilobytes; a list of 100,000 files fits. */
export const CAPTURE_LIMIT_BYTES = 16 * 1024 * 1024;

/** Runs a short command in a process group of its own and captures what it says. It dies with the group when it is over. */
export async function runCommand(options: RunOptions): Promise<RunResult> {
  const startedAt = performance.now();
  const startable = await findProgram(options);
  if (startable.kind === 'not-startable') return notStarted(startable.why, startedAt);
  if (options.signal?.aborted) return stoppedBeforeStart(options, startedAt);

  await using stdoutFile = options.stdoutFile === undefined ? undefined : await open(options.stdoutFile, 'wx', 0o600);
  const child = spawnCaptured(startable.program, options, stdoutFile);
  const spawned = await spawnOutcome(child);
  if (spawned !== undefined) return notStarted(spawned, startedAt);

  using stopper = createStopper(options, (signal) => {
    sendToGroup(child, signal);
  });
  const limit = options.outputLimitBytes ?? CAPTURE_LIMIT_BYTES;
  const captured = capture(child, limit, stopper);
  const status = await exitOf(child);
  const end = chooseEnd({ stopCauses: stopper.causes, stoppedBy: stopper.stoppedBy, status });
  return { ...end, ...captured(), durationMs: performance.now() - startedAt };
}

function spawnCaptured(program: string, { argv, env, cwd }: Command, stdout?: FileHandle): ChildProcess {
  const [, ...args] = argv;
  return spawn(program, args, {
    cwd,
    env: { ...env },
    detached: true,
    stdio: ['ignore', stdout?.fd ?? 'pipe', 'pipe'],
  });
}

/** Undefined when the process runs, else why it does not. */
async function spawnOutcome(child: ChildProcess): Promise<string | undefined> {
  try {
    await once(child, 'spawn');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function sendToGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) signalGroupOf(child.pid, signal);
}

/** Waits for exit, then ends what is left of the group: a background child that holds a pipe must not hold us. */
async function exitOf(child: ChildProcess): Promise<Partial<ExitStatus>> {
  const closed = once(child, 'close');
  child.once('exit', () => {
    if (child.pid !== undefined) signalGroupOf(child.pid, 'SIGKILL');
  });
  await closed;
  if (child.signalCode !== null) return { signal: child.signalCode };
  return child.exitCode === null ? {} : { exitCode: child.exitCode };
}

function capture(child: ChildProcess, limit: number, stopper: Stopper) {
  let outputBytes = 0;
  const collect = (stream: Readable | null): Buffer[] => {
    const chunks: Buffer[] = [];
    stream?.on('data', (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (outputBytes <= limit) chunks.push(chunk);
      else stopper.request('output-limit');
    });
    return chunks;
  };
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  return () => ({
    stdout: Buffer.concat(stdout).toString(),
    stderr: Buffer.concat(stderr).toString(),
    outputBytes,
  });
}

function notStarted(why: string, startedAt: number): RunResult {
  return { kind: 'could-not-start', why, ...silence(startedAt) };
}

function stoppedBeforeStart(options: StopTriggers, startedAt: number): RunResult {
  using stopper = createStopper(options, () => undefined);
  const end = chooseEnd({ stopCauses: stopper.causes, stoppedBy: 'before-start' });
  return { ...end, ...silence(startedAt) };
}

const silence = (startedAt: number) => ({
  durationMs: performance.now() - startedAt,
  outputBytes: 0,
  stdout: '',
  stderr: '',
});
