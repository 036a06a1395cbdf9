import { spawn } from 'node:child_process';

/** Everything this stand-in reads at once (a diff, a list of commits) is far smaller; more is a runaway. */
const OUTPUT_LIMIT_BYTES = 256 * 1024 * 1024;

interface GitInput {
  /** What git reads on its standard input. */
  readonly input?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
  /** Exit codes that are answers, besides 0: `merge-base` says "there is none" with 1. */
  readonly accept?: readonly number[];
}

interface GitOutput {
  readonly exitCode: number;
  readonly stdout: Buffer;
}

/** git answered something else than was expected. A bug of the stand-in or a damaged repository. */
class GitError extends Error {
  override readonly name = 'GitError';
  readonly code = 'GIT_FAILED';

  constructor(args: readonly string[], exitCode: number | null, stderr: string, options?: ErrorOptions) {
    super(
      `git ${args.join(' ')} was expected to succeed and ended with ${String(exitCode)}: ${stderr.trim()}`,
      options,
    );
  }
}

/** Runs git in a bare repository, without any configuration of the machine or the person. */
export async function runGit(directory: string, args: readonly string[], options: GitInput = {}): Promise<GitOutput> {
  const { promise, resolve, reject } = Promise.withResolvers<GitOutput>();
  const child = spawn('git', args, { cwd: directory, env: { ...gitEnvironment(), ...options.environment } });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > OUTPUT_LIMIT_BYTES) child.kill('SIGKILL');
    else stdout.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.on('error', (cause) => {
    reject(new GitError(args, null, 'git could not be started; is it installed?', { cause }));
  });
  child.on('close', (exitCode) => {
    if (exitCode !== null && [0, ...(options.accept ?? [])].includes(exitCode)) {
      resolve({ exitCode, stdout: Buffer.concat(stdout) });
    } else reject(new GitError(args, exitCode, Buffer.concat(stderr).toString()));
  });
  // A git that ends before it has read everything says why with its exit code; the broken pipe adds nothing.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input);
  return promise;
}

/** `runGit`, as text without the last line break. */
export async function gitText(directory: string, args: readonly string[], options?: GitInput): Promise<string> {
  return (await runGit(directory, args, options)).stdout.toString().replace(/\n$/, '');
}

/** The environment of every git we start: nothing of the person's own, and never a prompt. */
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
