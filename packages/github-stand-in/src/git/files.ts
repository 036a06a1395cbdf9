import { gitText, runGit } from './run-git.ts';

/** All paths of a branch, in git's order. */
export async function readPaths(directory: string, branch: string): Promise<string[]> {
  const text = await gitText(directory, ['ls-tree', '-r', '-z', '--name-only', `refs/heads/${branch}`]);
  return text.split('\0').filter((path) => path !== '');
}

/** The text of a file in a commit, or at `refs/heads/<branch>`; undefined if there is none. */
export async function readFile(directory: string, revision: string, path: string): Promise<string | undefined> {
  // No program takes an argument with a NUL, and no file has one in its name.
  if (path.includes('\0')) return undefined;
  const args = ['cat-file', 'blob', `${revision}:${path}`];
  const { exitCode, stdout } = await runGit(directory, args, { accept: [128] });
  return exitCode === 0 ? stdout.toString() : undefined;
}
