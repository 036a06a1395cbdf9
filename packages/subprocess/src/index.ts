/**
 * Runs other programs: without a shell, with exactly the given environment, each in its own process group. A command is
 * stopped as a group, and one result shape says how it ended.
 *
 * `runCommand` is for short commands whose output is wanted; `supervise` and `attach` are for commands that must outlive the
 * process that started them.
 */
export { attach, type AttachOptions } from './attach.ts';
export { commandFiles, runningCommands, type CommandFiles } from './command-files.ts';
export { findProgram, type Command, type Startable } from './command.ts';
export { hasErrorCode } from './error-code.ts';
export { OUTPUT_LIMIT_BYTES, type FollowerOptions } from './follower.ts';
export { parseProcessStat, type ProcessStat } from './process/process-stat.ts';
export { removeTree } from './tree/remove-tree.ts';
export type { CommandEnd, CommandFacts, CommandResult, ExitStatus } from './result.ts';
export {
  CAPTURE_LIMIT_BYTES,
  captureCommand,
  runCommand,
  type CaptureResult,
  type RunOptions,
  type RunResult,
} from './run-command.ts';
export { openMemoryGroups, type MemoryGroups, type MemoryLimit } from './sandbox/memory-groups.ts';
export { realFile } from './sandbox/real-files.ts';
export type { Sandbox, SandboxFile } from './sandbox/sandbox.ts';
export { systemFiles } from './sandbox/system-files.ts';
export { whyNoSandbox } from './why-no-sandbox.ts';
export { signalGroupOf } from './signal-group.ts';
export { stopCauseOf, StopRequest, type StopCause, type StoppedBy } from './stop-cause.ts';
export { STOP_PATIENCE, type StopPatience, type StopTriggers } from './stopper.ts';
export { supervise, type SuperviseOptions } from './supervise.ts';
