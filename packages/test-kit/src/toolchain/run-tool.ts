import { runCommand } from '@nereid/subprocess';
import { InstallError } from './errors.ts';
import { definedOnly, type Environment } from './environment.ts';

export interface ToolRun {
  readonly argv: readonly [string, ...string[]];
  readonly env: Environment;
  readonly timeoutMs: number;
  /** Ends the program early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Installers have nothing to put in order: they get a moment to remove temporary files, then they are killed. */
const PATIENCE = { afterSigintMs: 2_000, afterSecondSigintMs: 1_000 };
/** The last lines of an installer hold its error; the rest is progress. */
const TAIL_CHARACTERS = 2_000;

/** Runs a program to its end and returns its stdout. Throws `InstallError` with the end of its output. */
export async function runTool({ argv, env, timeoutMs, signal }: ToolRun): Promise<string> {
  const command = { argv, env: definedOnly(env), cwd: process.cwd() };
  const result = await runCommand({ ...command, timeoutMs, signal, patience: PATIENCE });
  signal?.throwIfAborted();
  if (result.kind === 'exited' && result.exitCode === 0) return result.stdout;
  throw new InstallError(
    `${argv.slice(0, 3).join(' ')} ${ending(result, timeoutMs)}${tail(result.stderr || result.stdout)}`,
  );
}

function ending(result: Awaited<ReturnType<typeof runCommand>>, timeoutMs: number): string {
  switch (result.kind) {
    case 'exited':
      return `ended with exit code ${result.exitCode}`;
    case 'killed':
      return `was killed by ${result.signal}`;
    case 'stopped':
      return `was stopped (${result.cause}, limit ${timeoutMs} ms)`;
    case 'could-not-start':
      return `could not be started: ${result.why}`;
    case 'lost':
      return 'was lost';
  }
}

function tail(output: string): string {
  const text = output.trim().slice(-TAIL_CHARACTERS);
  return text === '' ? '' : `:\n${text}`;
}
