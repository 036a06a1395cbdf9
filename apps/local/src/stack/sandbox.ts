import { findProgram, runCommand, systemFiles } from '@nereid/subprocess';
import type { Environment, Report } from '@nereid/test-kit';

/** It takes 20 ms. */
const TIMEOUT_MS = 30_000;

/** `none`, with the reason reported, where nobody can make a sandbox. */
export async function chooseSandbox(env: Environment, report: Report): Promise<'bubblewrap' | 'none'> {
  const why = await whyNoSandbox(env['PATH'] ?? '');
  if (why === undefined) return 'bubblewrap';
  report(`no sandbox, so code of roots can read all that the worker can read: ${why}`);
  return 'none';
}

async function whyNoSandbox(searchPath: string): Promise<string | undefined> {
  const found = findProgram({ argv: ['bwrap'], env: { PATH: searchPath }, cwd: '/' });
  if (found.kind === 'not-startable') return `${found.why}; install the package "bubblewrap"`;
  const sandbox = { bubblewrap: found.program, files: systemFiles(), network: 'host' } as const;
  const made = await runCommand({ argv: ['/bin/true'], env: {}, cwd: '/', sandbox, timeoutMs: TIMEOUT_MS });
  if (made.kind === 'exited' && made.exitCode === 0) return undefined;
  return `this machine does not let bubblewrap make one: ${made.stderr.trim()}`;
}
