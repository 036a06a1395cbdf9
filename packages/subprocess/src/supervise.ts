import { open, rm } from 'node:fs/promises';
import { attach, followRecorded, signalRecorded } from './attach.ts';
import {
  commandFiles,
  endOf,
  isRunning,
  readEnd,
  readIdentity,
  type CommandEndFacts,
  type CommandFiles,
} from './command-files.ts';
import { findProgram, type Command } from './command.ts';
import { hasErrorCode } from './error-code.ts';
import { follow } from './follow.ts';
import { followOptions, stopFacts, type FollowerOptions } from './follower.ts';
import { launch, type LaunchEnd } from './launcher/launcher.ts';
import type { Launch } from './launcher/protocol.ts';
import { chooseEnd, type CommandResult, type ExitStatus } from './result.ts';
import { whyNotReal } from './sandbox/real-files.ts';
import { enclose } from './sandbox/sandbox.ts';
import { createStopper, type StopTriggers } from './stopper.ts';
import { SUPERVISOR } from './supervisor.ts';

export type SuperviseOptions = Command & FollowerOptions;

/**
 * Runs a command that must survive this process: detached, in its own session, with its output in a file and its exit code
 * in another beside it. Resolves when the command is over; `attach` does so for a command that an earlier process started.
 */
export async function supervise(options: SuperviseOptions): Promise<CommandResult> {
  const startedAt = performance.now();
  const startable = findProgram(options);
  if (options.signal?.aborted || startable.kind === 'not-startable') {
    return withoutStart(options, startable.kind === 'startable' ? undefined : startable.why, startedAt);
  }

  const files = commandFiles(options.folder, options.name);
  const whyNot = (options.sandbox && (await whyNotReal(options.sandbox))) ?? (await createFiles(files, options));
  if (whyNot !== undefined) return withoutStart(options, whyNot, startedAt);
  const supervisor = await launch(supervisorOf(startable.program, options, files));
  if (supervisor.kind === 'not-launched') {
    // The name is free again.
    await Promise.all([files.output, files.sandbox].map((file) => rm(file, { force: true })));
    return withoutStart(options, supervisor.why, startedAt);
  }
  if (supervisor.kind === 'lost') return attach(options);
  const ended = new AbortController();
  // A sandbox keeps signals to its supervisor's group from the command.
  let signalGroup = options.sandbox === undefined ? supervisor.signal : signalRecorded(files);
  const noticeEnd = (last: LaunchEnd) => {
    if (last.kind === 'lost') signalGroup = signalRecorded(files);
    ended.abort();
    return last;
  };
  const end = supervisor.ended.then(noticeEnd);
  // One stopper for the command's whole life: Terraform takes a repeated SIGINT for an order to hurry.
  using stopper = createStopper(options, (signal) => {
    signalGroup(signal);
  });
  const followed = await follow({
    ...followOptions(options, files, stopper),
    hasEnded: () => ended.signal.aborted,
    wake: ended.signal,
  });
  const last = await end;
  // The command goes on without the launcher, or without bubblewrap; then only its files tell how it ends.
  if (last.kind === 'lost' || (options.sandbox !== undefined && (await isRunning(files))))
    return await followRecorded({ ...options, offset: followed.outputBytes }, stopper);
  const facts = await endFacts(last.status, files);
  return { ...chooseEnd({ ...facts, ...stopFacts(stopper) }), ...followed, durationMs: performance.now() - startedAt };
}

/** Returns why the files could not be made, such as a full disk. Throws when the name was used before. */
async function createFiles({ output, sandbox }: CommandFiles, options: SuperviseOptions): Promise<string | undefined> {
  try {
    for (const file of options.sandbox === undefined ? [output] : [output, sandbox]) {
      await (await open(file, 'wx', 0o600)).close();
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || hasErrorCode(error, 'EEXIST')) throw error;
    return error.message;
  }
}

function supervisorOf(program: string, { argv, cwd, env, sandbox }: SuperviseOptions, files: CommandFiles): Launch {
  const command = { program, args: argv.slice(1), cwd };
  const enclosed = sandbox === undefined ? command : enclose(command, sandbox, 'supervised');
  const status = sandbox === undefined ? '' : files.sandbox;
  return {
    program: '/bin/sh',
    args: ['-c', SUPERVISOR, 'supervise', files.process, files.exit, status, enclosed.program, ...enclosed.args],
    cwd,
    env,
    descriptor3: 'descriptor3' in enclosed ? enclosed.descriptor3 : undefined,
    output: { kind: 'file', file: files.output },
  };
}

/** The exit file decides. The supervisor's own exit code stands in for it when the disk was too full to write the file. */
async function endFacts({ exitCode }: Partial<ExitStatus>, files: CommandFiles): Promise<CommandEndFacts> {
  const end = await readEnd(files);
  if (end !== undefined) return end;
  if ((await readIdentity(files)) === undefined)
    return { whyNotStarted: `its supervisor could not write ${files.process}` };
  return exitCode === undefined ? {} : endOf(files, exitCode);
}

function withoutStart(options: StopTriggers, whyNotStarted: string | undefined, startedAt: number): CommandResult {
  using stopper = createStopper(options, () => undefined);
  const end = chooseEnd({ stopCauses: stopper.causes, stoppedBy: 'before-start', whyNotStarted });
  return { ...end, outputBytes: 0, durationMs: performance.now() - startedAt };
}
