import { findProgram } from './command.ts';
import { runCommand } from './run-command.ts';
import { WRITERS } from './supervisor.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

/** It takes 20 ms. */
const TIMEOUT_MS = 30_000;

/**
 * Makes such a sandbox. Returns bubblewrap's words when this machine cannot, or does not let it; or which of the writers, programs
 * that a supervisor needs outside of a sandbox, is missing.
 */
export async function whyNoSandbox(
  sandbox: Sandbox,
  writers: readonly string[] = WRITERS,
): Promise<string | undefined> {
  for (const writer of writers) {
    const found = findProgram({ argv: [writer], env: {}, cwd: '/' });
    if (found.kind === 'not-startable') return `${found.why}; it writes the logs of sandboxes, install it there`;
  }
  const made = await runCommand({ argv: ['/bin/true'], env: {}, cwd: '/', sandbox, timeoutMs: TIMEOUT_MS });
  if (made.kind === 'exited' && made.exitCode === 0) return undefined;
  if (made.kind === 'could-not-start') return made.why;
  return made.stderr.trim() || `bubblewrap ended otherwise: ${made.kind}`;
}
