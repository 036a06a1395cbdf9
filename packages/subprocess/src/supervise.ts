import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { commandFiles, readIdentity, readStatus, type CommandFiles } from './command-files.ts';
import { findProgram, type Command } from './command.ts';
import { follow, type FollowOptions } from './follow.ts';
import { chooseEnd, statusOfShell, type CommandResult, type EndFacts } from './result.ts';
import { createStopper, signalGroupOf, type Stopper, type StopTriggers } from './stopper.ts';
import { SUPERVISOR } from './supervisor.ts';

export interface FollowerOptions extends StopTriggers {
  /** Where the command leaves its output and exit code. Must exist; survives the worker. */
  readonly folder: string;
  /** Names the command's files in the folder; used once. */
  readonly name: string;
  /** Gets stdout and stderr as they came, in chunks of at most 64 KiB; awaited before more is read. */
  readonly onOutput: FollowOptions['onOutput'];
  /** Beyond this, the command is stopped: default `OUTPUT_LIMIT_BYTES`. */
  readonly outputLimitBytes?: number;
}

export type SuperviseOptions = Command & FollowerOptions;

/** Ten times the largest plans people have shown us; a command that goes on would fill the host's disk. */
export const OUTPUT_LIMIT_BYTES = 1024 * 1024 * 1024;

/**
 * Runs a command that must survive this process: detached, in a session of its own, with its output in a file and its exit
 * code written beside it. Resolves when it is over; `attach` does the same for a command that a former process started.
 */
export async function supervise(options: SuperviseOptions): Promise<CommandResult> {
  const startedAt = performance.now();
  const startable = await findProgram(options);
  if (options.signal?.aborted || startable.kind === 'not-startable') {
    return withoutStart(options, startable.kind === 'startable' ? undefined : startable.why, startedAt);
  }

  const files = commandFiles(options.folder, options.name);
  const ended = new AbortController();
  const supervisor = await spawnSupervisor(startable.program, options, files, ended);
  using stopper = createStopper(options, (signal) => {
    // Its pid is ours until it is collected, which is when `exit` comes.
    if (!ended.signal.aborted && supervisor.pid !== undefined) signalGroupOf(supervisor.pid, signal);
  });
  const followed = await follow({
    ...followOptions(options, files, stopper),
    hasEnded: () => ended.signal.aborted,
    wake: ended.signal,
  });
  const end = chooseEnd({ ...(await endFacts(supervisor, files)), ...stopFacts(stopper) });
  return { ...end, ...followed, durationMs: performance.now() - startedAt };
}

async function spawnSupervisor(
  program: string,
  command: SuperviseOptions,
  files: CommandFiles,
  ended: AbortController,
): Promise<ChildProcess> {
  await using output = await open(files.output, 'wx', 0o600);
  const [, ...args] = command.argv;
  const supervisor = spawn('/bin/sh', ['-c', SUPERVISOR, 'supervise', files.process, files.exit, program, ...args], {
    cwd: command.cwd,
    env: { ...command.env },
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
  });
  // Before anything is awaited: a short command is over before its output file is closed here.
  supervisor.once('exit', () => {
    ended.abort();
  });
  await once(supervisor, 'spawn');
  return supervisor;
}

/** The exit file tells the truth; the supervisor's own code stands in for it where the disk was too full to write one. */
async function endFacts(
  supervisor: ChildProcess,
  files: CommandFiles,
): Promise<Pick<EndFacts, 'status' | 'whyNotStarted'>> {
  const status = await readStatus(files);
  if (status !== undefined) return { status };
  if ((await readIdentity(files)) === undefined)
    return { whyNotStarted: `its supervisor could not write ${files.process}` };
  return supervisor.exitCode === null ? {} : { status: statusOfShell(supervisor.exitCode) };
}

function withoutStart(options: StopTriggers, whyNotStarted: string | undefined, startedAt: number): CommandResult {
  using stopper = createStopper(options, () => undefined);
  const end = chooseEnd({ stopCauses: stopper.causes, stoppedBy: 'before-start', whyNotStarted });
  return { ...end, outputBytes: 0, durationMs: performance.now() - startedAt };
}

/** What following means for a command started here and for one started before. */
export function followOptions(
  options: FollowerOptions,
  files: CommandFiles,
  stopper: Stopper,
): Pick<FollowOptions, 'file' | 'offset' | 'onOutput' | 'onProgress'> {
  const limit = options.outputLimitBytes ?? OUTPUT_LIMIT_BYTES;
  return {
    file: files.output,
    offset: 0,
    onOutput: options.onOutput,
    onProgress: (outputBytes) => {
      if (outputBytes > limit) stopper.request('output-limit');
    },
  };
}

export function stopFacts(stopper: Stopper): Pick<EndFacts, 'stopCauses' | 'stoppedBy'> {
  return { stopCauses: stopper.causes, stoppedBy: stopper.stoppedBy };
}
