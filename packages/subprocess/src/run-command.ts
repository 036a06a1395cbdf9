import { open } from 'node:fs/promises';
import { findProgram, type Command } from './command.ts';
import { launch, type LaunchEnd } from './launcher/launcher.ts';
import type { OutputStream } from './launcher/protocol.ts';
import type { StdoutFile } from './launcher/stdout-file.ts';
import { chooseEnd, type CommandResult } from './result.ts';
import { whyNotReal } from './sandbox/real-files.ts';
import { enclose } from './sandbox/sandbox.ts';
import { createStopper, type StopTriggers } from './stopper.ts';

export interface RunOptions extends Command, StopTriggers {
  /** The standard input of the command; empty by default. */
  readonly input?: string | Uint8Array;
  /** A command that writes more is stopped. Default `CAPTURE_LIMIT_BYTES`. */
  readonly outputLimitBytes?: number;
  /** A file for stdout, instead of memory, with a limit of its own. It must not exist yet. Nobody but the command writes it. */
  readonly stdoutFile?: StdoutFile;
}

export type CaptureResult = CommandResult & {
  /** Empty with `stdoutFile`. */
  readonly stdout: Buffer;
  readonly stderr: Buffer;
};

export type RunResult = CommandResult & {
  /** Decoded as UTF-8, with invalid bytes replaced; empty with `stdoutFile`. */
  readonly stdout: string;
  readonly stderr: string;
};

/** Captured output is held in memory. Short commands print kilobytes; a list of 100,000 files fits. */
export const CAPTURE_LIMIT_BYTES = 16 * 1024 * 1024;

/** Runs a short command in its own process group and captures its output. When it ends, the rest of the group is killed. */
export async function runCommand(options: RunOptions): Promise<RunResult> {
  const { stdout, stderr, ...result } = await captureCommand(options);
  return { ...result, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** The file for what a command printed could not be written: the disk is full, or fails. The command may have done its work. */
export class StdoutNotWrittenError extends Error {
  override readonly name = 'StdoutNotWrittenError';
  readonly code = 'STDOUT_NOT_WRITTEN';

  constructor(path: string, why: string, options?: ErrorOptions) {
    super(`expected to write what a command printed to ${path}, found that ${why}: check this host's disk`, options);
  }
}

/** Like `runCommand`, with the output as bytes. */
export async function captureCommand(options: RunOptions): Promise<CaptureResult> {
  const startedAt = performance.now();
  const startable = findProgram(options);
  if (startable.kind === 'not-startable') return notStarted(startable.why, startedAt);
  if (options.signal?.aborted) return stoppedBeforeStart(options, startedAt);
  const whyNot = options.sandbox && (await whyNotReal(options.sandbox));
  if (whyNot !== undefined) return notStarted(whyNot, startedAt);

  let stop: () => void = () => undefined;
  const captured = captureUpTo(options.outputLimitBytes ?? CAPTURE_LIMIT_BYTES, () => {
    stop();
  });
  if (options.stdoutFile !== undefined) await (await open(options.stdoutFile.path, 'wx', 0o600)).close();
  const listener = { onOutput: captured.collect, onOverLimit: captured.exceed };
  const launched = await launch(launchOf(startable.program, options), listener);
  if (launched.kind === 'not-launched') return notStarted(launched.why, startedAt);
  if (launched.kind === 'lost') return { kind: 'lost', ...silence(startedAt) };

  using stopper = createStopper(options, launched.signal);
  stop = () => {
    stopper.request('output-limit');
  };
  // Output may have come together with the news of the start, before there was a stopper.
  if (captured.isOver()) stop();
  const ended = await launched.ended;
  assertWritten(options, ended);
  const end = chooseEnd({ stopCauses: stopper.causes, stoppedBy: stopper.stoppedBy, status: statusOf(ended) });
  return { ...end, ...captured.all(), durationMs: performance.now() - startedAt };
}

function launchOf(found: string, { argv, env, cwd, input, stdoutFile, sandbox }: RunOptions) {
  const command = { program: found, args: argv.slice(1), cwd };
  const enclosed = sandbox === undefined ? command : enclose(command, sandbox, 'captured');
  const output = { kind: 'captured', ...(stdoutFile !== undefined && { stdoutFile }) } as const;
  return { env, cwd, ...enclosed, output, ...(input !== undefined && { input }) };
}

function assertWritten({ stdoutFile }: RunOptions, ended: LaunchEnd): void {
  if (stdoutFile === undefined || ended.kind !== 'exited' || ended.whyNotWritten === undefined) return;
  throw new StdoutNotWrittenError(stdoutFile.path, ended.whyNotWritten);
}

function captureUpTo(limit: number, onOver: () => void) {
  const chunks: Record<OutputStream, Uint8Array[]> = { stdout: [], stderr: [] };
  let outputBytes = 0;
  let isOver = false;
  const exceed = () => {
    isOver = true;
    onOver();
  };
  return {
    collect: (stream: OutputStream, chunk: Uint8Array): void => {
      outputBytes += chunk.length;
      if (outputBytes <= limit) chunks[stream].push(chunk);
      else exceed();
    },
    exceed,
    isOver: () => isOver,
    all: () => ({ stdout: Buffer.concat(chunks.stdout), stderr: Buffer.concat(chunks.stderr), outputBytes }),
  };
}

function statusOf(ended: LaunchEnd) {
  return ended.kind === 'exited' ? ended.status : undefined;
}

function notStarted(why: string, startedAt: number): CaptureResult {
  return { kind: 'could-not-start', why, ...silence(startedAt) };
}

function stoppedBeforeStart(options: StopTriggers, startedAt: number): CaptureResult {
  using stopper = createStopper(options, () => undefined);
  const end = chooseEnd({ stopCauses: stopper.causes, stoppedBy: 'before-start' });
  return { ...end, ...silence(startedAt) };
}

const silence = (startedAt: number) => ({
  durationMs: performance.now() - startedAt,
  outputBytes: 0,
  stdout: Buffer.alloc(0),
  stderr: Buffer.alloc(0),
});
