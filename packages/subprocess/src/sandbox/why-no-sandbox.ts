import { runCommand } from '../run-command.ts';
import type { Sandbox } from './sandbox.ts';

/** It takes 20 ms. */
const TIMEOUT_MS = 30_000;

/** Makes such a sandbox. Returns bubblewrap's words when this machine cannot, or does not let it. */
export async function whyNoSandbox(sandbox: Sandbox): Promise<string | undefined> {
  const made = await runCommand({ argv: ['/bin/true'], env: {}, cwd: '/', sandbox, timeoutMs: TIMEOUT_MS });
  if (made.kind === 'exited' && made.exitCode === 0) return undefined;
  if (made.kind === 'could-not-start') return made.why;
  return made.stderr.trim() || `bubblewrap ended otherwise: ${made.kind}`;
}
