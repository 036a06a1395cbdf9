/**
 * The launcher: a small process that starts commands for a large one. The large process's own `spawn` would copy all of its
 * page tables and block it meanwhile: 17 ms with 300 MB, 38 ms with 800 MB, against 2 ms here.
 *
 * The launcher decides nothing. It ends with the process that it works for, and not before: signals to their group are for
 * that process to handle. Captured commands end with it too, since nobody is left to read their output; commands that
 * write to a file go on.
 */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { open } from 'node:fs/promises';
import { Writable, type Readable } from 'node:stream';
import { signalGroupOf } from '../signal-group.ts';
import { closeInherited } from './close-inherited.ts';
import type { FromLauncher, Launch, OutputStream, ToLauncher } from './protocol.ts';
import { openStdoutFile, type OpenStdoutFile } from './stdout-file.ts';

closeInherited();

const running = new Map<number, ChildProcess>();
const captured = new Set<ChildProcess>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => {
  // The process that comes after ours takes every lock of a git command for a leftover, so no such command may live on.
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
    await sendToParent({ kind: 'launched', id });
    const { whyNotWritten } = await over;
    running.delete(id);
    await sendToParent({ kind: 'exited', id, exitCode: child.exitCode, signal: child.signalCode, whyNotWritten });
  } catch (error) {
    await sendToParent({ kind: 'not-launched', id, why: error instanceof Error ? error.message : String(error) });
  }
}

interface Begun {
  readonly child: ChildProcess;
  /** Resolves when nothing more will be heard of the command. */
  readonly over: Promise<Over>;
}

interface Over {
  readonly whyNotWritten: string | undefined;
}

async function begin(id: number, { program, args, cwd, env, input, descriptor3, output }: Launch): Promise<Begun> {
  await using opened = new AsyncDisposableStack();
  const shared = output.kind === 'file' ? opened.use(await open(output.file, 'a', 0o600)) : undefined;
  const wanted = output.kind === 'captured' ? output.stdoutFile : undefined;
  const stdoutFile = wanted && opened.use(await openStdoutFile(wanted));
  const stdin = input === undefined ? 'ignore' : 'pipe';
  const stdout = shared?.fd ?? 'pipe';
  const stdio: StdioOptions = [stdin, stdout, stdout, ...(descriptor3 === undefined ? [] : ['pipe' as const])];
  const child = spawn(program, args, { cwd, env: { ...env }, detached: true, stdio });
  // A command may end before it has read everything.
  child.stdin?.on('error', () => undefined).end(input);
  const fourth = child.stdio[3];
  if (fourth instanceof Writable) fourth.on('error', () => undefined).end(descriptor3);
  // Must come before the first await: by the next turn a short command may be over and its output lost.
  const over = followed(id, child, output, stdoutFile);
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  // A file of its own stays open for the command; one that we write stays open here until it is written.
  if (stdoutFile === undefined) return { child, over };
  const kept = opened.move();
  return { child, over: over.finally(() => kept.disposeAsync()) };
}

async function followed(
  id: number,
  child: ChildProcess,
  output: Launch['output'],
  stdoutFile: OpenStdoutFile | undefined,
): Promise<Over> {
  const over = new Promise((resolve) => child.once(output.kind === 'file' ? 'exit' : 'close', resolve));
  if (output.kind === 'captured') {
    captured.add(child);
    child.once('error', () => captured.delete(child));
    child.once('exit', () => {
      captured.delete(child);
      // A background child that holds a pipe open must not hold us up.
      killGroupOf(child);
    });
  }
  const stdout =
    stdoutFile?.appendFrom(child.stdout, () => void sendToParent({ kind: 'over-limit', id })) ??
    forward(id, 'stdout', child.stdout);
  const [whyNotWritten] = await Promise.all([stdout, forward(id, 'stderr', child.stderr), over]);
  return { whyNotWritten };
}

/** Forwards no faster than the other end reads. */
async function forward(id: number, stream: OutputStream, output: Readable | null): Promise<undefined> {
  for await (const chunk of output ?? [])
    await sendToParent({ kind: 'output', id, stream, chunk: chunk as Uint8Array });
}

function sendTo(child: ChildProcess | undefined, signal: NodeJS.Signals): void {
  if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null)
    signalGroupOf(child.pid, signal);
}

/** The pid of a process that could not be started is undefined. */
function killGroupOf({ pid }: ChildProcess): void {
  if (pid !== undefined) signalGroupOf(pid, 'SIGKILL');
}

async function sendToParent(message: FromLauncher): Promise<void> {
  await new Promise<void>((resolve) => {
    // An error means that the other end is gone; `disconnect` reports that too.
    process.send?.(message, undefined, {}, () => {
      resolve();
    });
  });
}
