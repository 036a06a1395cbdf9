import { open } from 'node:fs/promises';
import { findProgram, type Command } from './command.ts';
import { launch, type LaunchEnd } from './launcher/launcher.ts';
import type { OutputStream } from './launcher/protocol.ts';
import { chooseEnd, type CommandResult } from './result.ts';
import { createStopper, type StopTriggers } from './stopper.ts';

export interface RunOptions extends Command, StopTriggers {
  /** What it reads from its standard input, which is empty otherwise. */
  readonly input?: string | Uint8Array;
  /** Beyond this, the command is stopped: default `CAPTURE_LIMIT_BYTES`. */
  readonly outputLimitBytes?: number;
  /** Where stdout goes instead of into memory: a file that must not exist yet. */
  readonly stdoutFile?: string;
}

export type CaptureResult = CommandResult & {
  /** Empty with `stdoutFile`. */
  readonly stdout: Buffer;
  readonly stderr: Buffer;
};

export type RunResult = CommandResult & {
  /** Decoded as UTF-8, what is invalid replaced; empty with `stdoutFile`. */
  readonly stdout: string;
  readonly stderr: string;
};

/** What is captured is held in memory. Short commands answer in kilobytes; a list of 100,000 files fits. */
export const CAPTURE_LIMIT_BYTES = 16 * 1024 * 1024;

/** Runs a short command in a process group of its own and captures what it says. It dies with the group when it is over. */
export async function runCommand(options: RunOptions): Promise<RunResult> {
  const { stdout, stderr, ...result } = await captureCommand(options);
  return { ...result, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** The same, with its output byte by byte. */
export async function captureCommand(options: RunOptions): Promise<CaptureResult> {
  const startedAt = performance.now();
  const startable = await findProgram(options);
  if (startable.kind === 'not-startable') return notStarted(startable.why, startedAt);
  if (options.signal?.aborted) return stoppedBeforeStart(options, startedAt);

  let stop: () => void = () => undefined;
  const captured = captureUpTo(options.outputLimitBytes ?? CAPTURE_LIMIT_BYTES, () => {
    stop();
  });
  if (options.stdoutFile !== undefined) await (await open(options.stdoutFile, 'wx', 0o600)).close();
  const launched = await launch(launchOf(startable.program, options), captured.take);
  if (launched.kind === 'not-launched') return notStarted(launched.why, startedAt);
  if (launched.kind === 'lost') return { kind: 'lost', ...silence(startedAt) };

  using stopper = createStopper(options, launched.signal);
  stop = () => {
    stopper.request('output-limit');
  };
  // What it said may have come together with the news of its start, when there was nothing to stop yet.
  if (captured.isOver()) stop();
  const ended = await launched.ended;
  const end = chooseEnd({ stopCauses: stopper.causes, stoppedBy: stopper.stoppedBy, status: statusOf(ended) });
  return { ...end, ...captured.all(), durationMs: performance.now() - startedAt };
}

function launchOf(program: string, { argv, env, cwd, input, stdoutFile }: RunOptions) {
  const [, ...args] = argv;
  const output = { kind: 'captured', ...(stdoutFile !== undefined && { stdoutFile }) } as const;
  return { program, args, env, cwd, output, ...(input !== undefined && { input }) };
}

function captureUpTo(limit: number, onOver: () => void) {
  const chunks: Record<OutputStream, Uint8Array[]> = { stdout: [], stderr: [] };
  let outputBytes = 0;
  return {
    take: (stream: OutputStream, chunk: Uint8Array): void => {
      outputBytes += chunk.length;
      if (outputBytes <= limit) chunks[stream].push(chunk);
      else onOver();
    },
    isOver: () => outputBytes > limit,
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
