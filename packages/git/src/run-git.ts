/**
 * One git command through simple-git: no shell, exactly the environment given, a limit on time and output, and every exit
 * code as a value.
 */
import { GitPluginError, simpleGit, type SimpleGitOptions } from 'simple-git';
import type { Environment } from './environment.ts';
import { GitCommandError, GitOutputLimitError, GitTimeoutError } from './errors.ts';
import { redact } from './redact.ts';

export interface GitCommand {
  readonly verb: string;
  readonly args: readonly string[];
  /** `key=value` settings for this command alone. */
  readonly config?: readonly string[];
  readonly cwd: string;
  readonly environment: Environment;
  /** What git reads from its standard input. */
  readonly input?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface GitResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
  /** The last of what git said, without the secrets of its environment. */
  readonly stderr: string;
}

/** A listing of a million files, with room to spare. */
const OUTPUT_LIMIT_BYTES = 256 * 1024 * 1024;

/** The end of an error message says what failed; the rest is progress. */
const STDERR_LIMIT = 2_000;

const NOTHING = Buffer.alloc(0);

/** Answers with whatever exit code git had. Throws when it was aborted (the signal's reason), too slow or too talkative. */
export async function runGit(command: GitCommand): Promise<GitResult> {
  command.signal?.throwIfAborted();
  const stopped = new AbortController();
  const output = collectOutput(() => {
    stopped.abort();
  });
  let ended = { exitCode: -1, stderr: '' };
  const settings: Partial<SimpleGitOptions> = {
    baseDir: command.cwd,
    config: [...(command.config ?? [])],
    abort: command.signal ? AbortSignal.any([command.signal, stopped.signal]) : stopped.signal,
    timeout: { block: command.timeoutMs, stdErr: false, stdOut: false },
    completion: { onClose: true, onExit: false },
    input: () => command.input,
    allowEnvironment: Object.keys(command.environment),
    // Our environment does point git at other configuration: none, and the header of this one command.
    unsafe: { allowUnsafeConfigPaths: true, allowUnsafeConfigEnvCount: true, allowUnsafeProtocolOverride: true },
    errors(error, result) {
      ended = { exitCode: result.exitCode, stderr: Buffer.concat(result.stdErr).toString() };
      // An exit code is the caller's to judge; only what simple-git itself did (stop the command) is an error here.
      return error instanceof GitPluginError ? error : undefined;
    },
  };

  try {
    const git = simpleGit(settings).env(command.environment).outputHandler(output.follow);
    await git.raw(command.verb, ...command.args);
  } catch (error) {
    command.signal?.throwIfAborted();
    if (output.isOverLimit()) throw new GitOutputLimitError(command.verb, OUTPUT_LIMIT_BYTES, { cause: error });
    if (isTimeout(error)) throw new GitTimeoutError(command.verb, command.timeoutMs, { cause: error });
    const found = redact(error instanceof Error ? error.message : String(error), secretsOf(command.environment));
    throw new GitCommandError(command.verb, -1, found, { cause: error });
  }
  return {
    exitCode: ended.exitCode,
    stdout: Buffer.concat(output.chunks),
    stderr: redact(ended.stderr.trim().slice(-STDERR_LIMIT), secretsOf(command.environment)),
  };
}

interface CollectedOutput {
  readonly chunks: readonly Buffer[];
  readonly follow: (command: string, stdout: NodeJS.ReadableStream) => void;
  readonly isOverLimit: () => boolean;
}

function collectOutput(stop: () => void): CollectedOutput {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const follow = (_command: string, stdout: NodeJS.ReadableStream) => {
    stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > OUTPUT_LIMIT_BYTES) stop();
      else chunks.push(chunk);
    });
    // simple-git holds back a command that printed nothing for 50 ms, in case something comes yet: nothing comes after the end.
    stdout.once('end', () => stdout.emit('data', NOTHING));
  };
  return { chunks, follow, isOverLimit: () => bytes > OUTPUT_LIMIT_BYTES };
}

function isTimeout(error: unknown): boolean {
  return error instanceof GitPluginError && error.plugin === 'timeout';
}

/** The header as a whole, its value, and the token that a Basic header wraps. */
function secretsOf(environment: Environment): readonly string[] {
  const header = environment['GIT_CONFIG_VALUE_0'];
  if (header === undefined) return [];
  const credentials = header.split(' ').at(-1) ?? '';
  const token = Buffer.from(credentials, 'base64').toString().split(':').at(-1) ?? '';
  return [header, credentials, token];
}
