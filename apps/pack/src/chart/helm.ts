import { runHelm } from '@nereid/test-kit/chart';

/** The output of a Helm command that succeeds. Throws with its words otherwise. */
export async function helm(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const result = await runHelm(args, { env });
  if (result.kind === 'exited' && result.exitCode === 0) return result.stdout + result.stderr;
  const said = 'stderr' in result ? result.stderr : '';
  throw new Error(`helm ${args[0] ?? ''}: expected it to succeed, found ${result.kind}:\n${said}`);
}
