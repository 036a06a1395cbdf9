/** One push of many commits, as git makes it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captureCommand } from '@nereid/subprocess';

/** Each commit writes one file. */
export interface PushedCommit {
  readonly path: string;
  readonly text: string;
  /** Default: 100644, a file. 120000 is a symbolic link, whose target is the text. */
  readonly mode?: '100644' | '120000';
  /** Author and committer, as git writes them. */
  readonly author?: string;
  /** The head of another branch, which this commit merges. */
  readonly mergeOf?: string;
}

/** Pushes to a branch that is there. Returns the last commit's SHA. */
export async function pushCommits(url: string, branch: string, commits: readonly PushedCommit[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nereid-push-'));
  try {
    await git(folder, ['clone', '--quiet', '--bare', url, '.']);
    await git(
      folder,
      ['fast-import', '--quiet'],
      commits.map((commit, index) => commitOf(branch, commit, index)).join(''),
    );
    await git(folder, ['push', '--quiet', 'origin', branch]);
    return (await git(folder, ['rev-parse', branch])).trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const WIM = 'Wim <wim@users.noreply.github.com>';

function commitOf(
  branch: string,
  { path, text, mode = '100644', author = WIM, mergeOf }: PushedCommit,
  index: number,
): string {
  const from = index === 0 ? `from refs/heads/${branch}^0\n` : '';
  const merge = mergeOf === undefined ? '' : `merge ${mergeOf}\n`;
  const head = `commit refs/heads/${branch}\ncommitter ${author} 1700000000 +0000\ndata 8\nA change\n${from}${merge}`;
  return `${head}M ${mode} inline ${path}\n${data(text)}\n`;
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

async function git(cwd: string, args: readonly string[], input?: string): Promise<string> {
  const result = await captureCommand({
    argv: ['git', ...args],
    cwd,
    env: { PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    timeoutMs: 120_000,
    outputLimitBytes: 1_000_000,
    ...(input !== undefined && { input }),
  });
  if (result.kind === 'exited' && result.exitCode === 0) return result.stdout.toString();
  throw new Error(`git ${args.join(' ')}: ${result.stderr.toString()}`);
}
