/**
 * One git command: no shell, exactly the environment given, a limit on time and output, and every exit code as a value.
 */
import { defined } from '@nereid/domain/defined';
import { captureCommand, type CaptureResult } from '@nereid/subprocess';
import { settingsOf, type Environment } from './environment.ts';
import { GitCommandError, GitLostError, GitOutputLimitError, GitTimeoutError } from '../errors.ts';
import { redact } from './redact.ts';

export interface GitCommand {
  readonly verb: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Environment;
  /** Git's standard input. */
  readonly input?: string;
  readonly timeoutMs: number;
  /** Default: 256 MiB. Git is stopped when it prints more. */
  readonly outputLimitBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface GitResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
  /** The end of git's messages, without the secrets of its environment. */
  readonly stderr: string;
}

/** Nothing that we ask for comes near it; listings of files have limits of their own. */
const OUTPUT_LIMIT_BYTES = 256 * 1024 * 1024;

/** The end of an error message says what failed; the rest is progress. */
const STDERR_LIMIT = 2_000;

/** Git removes its locks at the first SIGINT, within milliseconds. */
const PATIENCE = { afterSigintMs: 5_000, afterSecondSigintMs: 1_000 };

/** Returns any exit code as a value. Throws when git was aborted (the signal's reason), was too slow, or printed too much. */
export async function runGit(command: GitCommand): Promise<GitResult> {
  const { verb, args, cwd, environment, input, timeoutMs, signal } = command;
  const { outputLimitBytes = OUTPUT_LIMIT_BYTES } = command;
  signal?.throwIfAborted();
  const result = await captureCommand({
    argv: ['git', verb, ...args],
    cwd,
    env: environment,
    timeoutMs,
    signal,
    outputLimitBytes,
    patience: PATIENCE,
    ...defined({ input }),
  });
  const stderr = redact(result.stderr.toString().trim().slice(-STDERR_LIMIT), secretsOf(environment));
  if (result.kind === 'exited') return { exitCode: result.exitCode, stdout: result.stdout, stderr };
  throw failureOf(command, result, stderr);
}

function failureOf(
  { verb, timeoutMs, outputLimitBytes = OUTPUT_LIMIT_BYTES, signal }: GitCommand,
  result: Exclude<CaptureResult, { kind: 'exited' }>,
  stderr: string,
): unknown {
  switch (result.kind) {
    case 'stopped':
      if (result.cause === 'timed-out') return new GitTimeoutError(verb, timeoutMs);
      if (result.cause === 'output-limit') return new GitOutputLimitError(verb, outputLimitBytes);
      return signal?.reason;
    case 'killed':
      return new GitCommandError(verb, -1, `killed by ${result.signal}: ${stderr}`);
    case 'could-not-start':
      return new GitCommandError(verb, -1, result.why);
    case 'lost':
      return new GitLostError(verb);
  }
}

/** The header as a whole, its value, and the token that a Basic header wraps. */
function secretsOf(environment: Environment): readonly string[] {
  const header = settingsOf(environment).find(([name]) => name.endsWith('.extraHeader'))?.[1];
  if (header === undefined) return [];
  const credentials = header.split(' ').at(-1) ?? '';
  const token = Buffer.from(credentials, 'base64').toString().split(':').at(-1) ?? '';
  return [header, credentials, token];
}
