import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandFiles, isRunning, readEnd, readIdentity, readSandbox, type CommandFiles } from './command-files.ts';
import { follow } from './follow.ts';
import { followOptions, stopFacts, type FollowerOptions } from './follower.ts';
import { isAlive, type ProcessIdentity } from './process/process-identity.ts';
import { isSandboxAlive } from './sandbox/sandbox-status.ts';
import { chooseEnd, type CommandResult } from './result.ts';
import { signalGroupOf } from './signal-group.ts';
import { createStopper, type Stopper } from './stopper.ts';

export interface AttachOptions extends FollowerOptions {
  /** Bytes of output that were already delivered; default 0. */
  readonly offset?: number;
}

/** A supervisor records itself within milliseconds of its start, but the process that spawned it may die in between. */
const RECORD_WAIT_MS = 1_000;

/** A sandbox is made within 20 ms; a thousand times as long on a machine in trouble. */
const SANDBOX_WAIT_MS = 20_000;
const SANDBOX_PAUSE_MS = 5;

/**
 * From the report of a sandbox's first process until it has started the command. A signal just before the command's own process
 * exists would reach nobody, and the next one comes a minute later.
 */
const COMMAND_START_MS = 200;

/** What a sandbox printed is in the file within milliseconds of its end. */
const LAST_OUTPUT_WAIT_MS = 500;

/**
 * Follows to its end a command that this process or an earlier one started with `supervise`, even if it ended long ago.
 * `could-not-start`: the command never ran. `lost`: it ran, is gone, and left no exit code.
 */
export async function attach(options: AttachOptions): Promise<CommandResult> {
  const files = commandFiles(options.folder, options.name);
  if ((await waitForIdentity(files)) === undefined) return neverRan(options);
  using stopper = createStopper(options, signalRecorded(files));
  return await followRecorded(options, stopper);
}

/** Like `attach`, with a stopper that may be at work already: the signals that it sent are not sent again. */
export async function followRecorded(options: AttachOptions, stopper: Stopper): Promise<CommandResult> {
  const files = commandFiles(options.folder, options.name);
  if ((await waitForIdentity(files)) === undefined) return neverRan(options);

  const followed = await follow({
    ...followOptions(options, files, stopper),
    offset: options.offset ?? 0,
    hasEnded: async () => {
      if (await isRunning(files)) return false;
      await lastOutput(files);
      return true;
    },
  });
  const end = chooseEnd({ ...(await readEnd(files)), ...stopFacts(stopper) });
  return { ...end, ...followed, durationMs: await durationOf(files) };
}

/** A supervisor that was not killed ends after the process that writes the output; one that was killed waits for nobody. */
async function lastOutput(files: CommandFiles): Promise<void> {
  const isSandboxed = (await readSandbox(files)) !== undefined;
  const hasEndedLast = (await stat(files.exit).catch(() => undefined)) !== undefined;
  if (isSandboxed && !hasEndedLast) await sleep(LAST_OUTPUT_WAIT_MS);
}

async function waitForIdentity(files: CommandFiles): Promise<ProcessIdentity | undefined> {
  const deadline = performance.now() + RECORD_WAIT_MS;
  for (;;) {
    const identity = await readIdentity(files);
    if (identity !== undefined || performance.now() > deadline) return identity;
    await sleep(20);
  }
}

/** Signals a command without the help of its launcher. */
export function signalRecorded(files: CommandFiles): (signal: NodeJS.Signals) => void {
  return (signal) => {
    void signalIfAlive(files, signal);
  };
}

async function signalIfAlive(files: CommandFiles, signal: NodeJS.Signals): Promise<void> {
  await waitForIdentity(files);
  const deadline = performance.now() + SANDBOX_WAIT_MS;
  while ((await isRunning(files)) && performance.now() < deadline) {
    const leader = await leaderOf(files, signal);
    if (leader !== undefined && signalGroupOf(leader, signal)) return;
    await sleep(SANDBOX_PAUSE_MS);
  }
}

/**
 * The leader of the command's process group. A group's id is its leader's pid, so the group is ours exactly as long as its
 * leader lives. Undefined without a leader, and while its sandbox is being made and the signal would be lost.
 */
async function leaderOf(files: CommandFiles, signal: NodeJS.Signals): Promise<number | undefined> {
  const sandbox = await readSandbox(files);
  // Without a first process, bubblewrap itself hangs, in the group of its supervisor.
  const hasOwnGroup = sandbox !== undefined && !(signal === 'SIGKILL' && sandbox.first === undefined);
  if (hasOwnGroup) {
    const isHeard = signal === 'SIGKILL' || (sandbox.isReady && (await hasHadTimeToStart(files)));
    return isHeard && (await isSandboxAlive(sandbox)) ? sandbox.first?.pid : undefined;
  }
  const identity = await readIdentity(files);
  return identity !== undefined && (await isAlive(identity)) ? identity.pid : undefined;
}

/** Nothing is reported between the sandbox's first process and the command's end. */
async function hasHadTimeToStart(files: CommandFiles): Promise<boolean> {
  const { mtimeMs: reportedAt } = await stat(files.sandbox);
  return Math.abs(Date.now() - reportedAt) > COMMAND_START_MS;
}

function neverRan({ folder, name }: AttachOptions): CommandResult {
  return { kind: 'could-not-start', why: `no command ${name} ran in ${folder}`, durationMs: 0, outputBytes: 0 };
}

/** The time from the supervisor's record to its exit file, or until now. */
async function durationOf(files: CommandFiles): Promise<number> {
  const { mtimeMs: startedAt } = await stat(files.process);
  const endedAt = (await stat(files.exit).catch(() => undefined))?.mtimeMs ?? Date.now();
  return Math.max(0, endedAt - startedAt);
}
