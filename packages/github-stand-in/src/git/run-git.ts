import { captureCommand, type CaptureResult } from '@nereid/subprocess';
import { createConstants, isConstant } from './constants.ts';

/** Everything this stand-in reads at once (a diff, a list of commits) is far smaller; more is a runaway. */
const OUTPUT_LIMIT_BYTES = 256 * 1024 * 1024;

interface GitInput {
  /** The standard input of git. */
  readonly input?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
  /** Exit codes that are answers, besides 0: `merge-base` says "there is none" with 1. */
  readonly accept?: readonly number[];
}

interface GitOutput {
  readonly exitCode: number;
  readonly stdout: Buffer;
}

/** The same few commits are compared and merged on the way of every event. */
const constants = createConstants<GitOutput>(({ stdout }) => stdout.length);

/** git failed unexpectedly, because of a bug in the stand-in or a damaged repository. */
class GitError extends Error {
  override readonly name = 'GitError';
  readonly code = 'GIT_FAILED';

  constructor(args: readonly string[], result: CaptureResult) {
    const found = result.kind === 'exited' ? `exit code ${result.exitCode}` : result.kind;
    super(`git ${args.join(' ')} was expected to succeed, found ${found}: ${result.stderr.toString().trim()}`);
  }
}

/** Runs git in a bare repository, without any configuration of the machine or the person. */
export async function runGit(directory: string, args: readonly string[], options: GitInput = {}): Promise<GitOutput> {
  const ask = () => askGit(directory, args, options);
  return isConstant(args, options.input) ? constants.get(JSON.stringify([directory, args, options.input]), ask) : ask();
}

async function askGit(directory: string, args: readonly string[], options: GitInput): Promise<GitOutput> {
  const { input, environment, accept = [] } = options;
  const result = await captureCommand({
    argv: ['git', ...args],
    cwd: directory,
    env: { ...gitEnvironment(), ...environment },
    outputLimitBytes: OUTPUT_LIMIT_BYTES,
    ...(input !== undefined && { input }),
  });
  if (result.kind === 'exited' && [0, ...accept].includes(result.exitCode)) return result;
  throw new GitError(args, result);
}

/** `runGit`, as text without the last line break. */
export async function gitText(directory: string, args: readonly string[], options?: GitInput): Promise<string> {
  return (await runGit(directory, args, options)).stdout.toString().replace(/\n$/, '');
}

/** The environment of every git that we start: without the person's own configuration, and never with a prompt. */
export function gitEnvironment(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: '/nonexistent',
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
  };
}
