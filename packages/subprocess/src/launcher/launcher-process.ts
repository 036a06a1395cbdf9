/**
 * The launcher: a small process that starts commands for a large one, whose own `spawn` would copy all of its page tables
 * while nothing else in it runs: 17 ms with 300 MB, 38 ms with 800 MB, against 2 ms here.
 *
 * It decides nothing. It ends with the process that it works for, and not before: signals to their group are that one's.
 * What is captured ends with it too, for nobody is there to be told; what writes to a file goes on.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { signalGroupOf } from '../signal-group.ts';
import type { FromLauncher, Launch, OutputStream, ToLauncher } from './protocol.ts';

const running = new Map<number, ChildProcess>();
const captured = new Set<ChildProcess>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => {
  // Whoever comes after our process takes every lock of a git command for left over.
  for (const child of captured) killGroupOf(child);
  process.exit();
});
process.on('message', (message) => {
  const request = message as ToLauncher; // The other end of this channel is launcher.ts.
  if (request.kind === 'launch') void launch(request.id, request.launch);
  else sendTo(running.get(request.id), request.signal);
});

async function launch(id: number, wanted: Launch): Promise<void> {
  try {
    const { child, over } = await begin(id, wanted);
    running.set(id, child);
    await tell({ kind: 'launched', id });
    await over;
    running.delete(id);
    await tell({ kind: 'exited', id, exitCode: child.exitCode, signal: child.signalCode });
  } catch (error) {
    await tell({ kind: 'not-launched', id, why: error instanceof Error ? error.message : String(error) });
  }
}

interface Begun {
  readonly child: ChildProcess;
  /** Nothing more is heard of it. */
  readonly over: Promise<unknown>;
}

async function begin(id: number, { program, args, cwd, env, input, output }: Launch): Promise<Begun> {
  const path = output.kind === 'file' ? output.file : output.stdoutFile;
  await using file = path === undefined ? undefined : await open(path, 'a', 0o600);
  const stdin = input === undefined ? 'ignore' : 'pipe';
  const stdout = file?.fd ?? 'pipe';
  const stderr = output.kind === 'file' ? stdout : 'pipe';
  const child = spawn(program, args, { cwd, env: { ...env }, detached: true, stdio: [stdin, stdout, stderr] });
  // A command that ends before it has read everything is its own affair.
  child.stdin?.on('error', () => undefined).end(input);
  // Before anything is awaited: a short command may be over, and what it said thrown away, when we look again.
  const over = followed(id, child, output);
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  return { child, over };
}

async function followed(id: number, child: ChildProcess, output: Launch['output']): Promise<void> {
  const over = new Promise((resolve) => child.once(output.kind === 'file' ? 'exit' : 'close', resolve));
  if (output.kind === 'captured') {
    captured.add(child);
    child.once('error', () => captured.delete(child));
    child.once('exit', () => {
      captured.delete(child);
      // A background child that holds a pipe must not hold us.
      killGroupOf(child);
    });
  }
  await Promise.all([over, forward(id, 'stdout', child.stdout), forward(id, 'stderr', child.stderr)]);
}

/** No faster than the other end reads. */
async function forward(id: number, stream: OutputStream, output: Readable | null): Promise<void> {
  for await (const chunk of output ?? []) await tell({ kind: 'output', id, stream, chunk: chunk as Uint8Array });
}

function sendTo(child: ChildProcess | undefined, signal: NodeJS.Signals): void {
  if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null)
    signalGroupOf(child.pid, signal);
}

/** Undefined is the pid of one that could not be started. */
function killGroupOf({ pid }: ChildProcess): void {
  if (pid !== undefined) signalGroupOf(pid, 'SIGKILL');
}

async function tell(message: FromLauncher): Promise<void> {
  await new Promise<void>((resolve) => {
    // Nobody is there to be told when the other end is gone; `disconnect` says so, too.
    process.send?.(message, undefined, {}, () => {
      resolve();
    });
  });
}
