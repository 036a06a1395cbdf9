import { findProgram, systemFiles, whyNoSandbox } from '@nereid/subprocess';
import type { Environment, Report } from '@nereid/test-kit';

/** `none`, with the reason reported, where nobody can make a sandbox. */
export async function chooseSandbox(env: Environment, report: Report): Promise<'bubblewrap' | 'none'> {
  const why = await whyNone(env['PATH'] ?? '');
  if (why === undefined) return 'bubblewrap';
  report(`no sandbox, so code of roots can read all that the worker can read: ${why}`);
  return 'none';
}

async function whyNone(searchPath: string): Promise<string | undefined> {
  const found = findProgram({ argv: ['bwrap'], env: { PATH: searchPath }, cwd: '/' });
  if (found.kind === 'not-startable') return `${found.why}; install the package "bubblewrap"`;
  return whyNoSandbox({ bubblewrap: found.program, files: systemFiles(), network: 'host' });
}
