import { gitText, runGit } from './run-git.ts';
import type { Signature } from './write-commit.ts';

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: DatedSignature;
  readonly committer: DatedSignature;
  readonly message: string;
}

export interface DatedSignature extends Signature {
  /** ISO 8601. */
  readonly date: string;
}

const FIELDS = ['%H', '%T', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'] as const;

/** The commits that `git log` lists for these revision arguments, newest first. */
export async function readCommits(directory: string, revisions: readonly string[]): Promise<Commit[]> {
  const args = ['log', '-z', `--format=${FIELDS.join('%x00')}`, ...revisions, '--'];
  const values = (await gitText(directory, args)).split('\0');
  const commits: Commit[] = [];
  for (let start = 0; start + FIELDS.length <= values.length; start += FIELDS.length) {
    commits.push(toCommit(values.slice(start, start + FIELDS.length)));
  }
  return commits;
}

/** One commit. Throws when it does not exist; ask `resolveCommit` first. */
export async function readCommit(directory: string, sha: string): Promise<Commit> {
  const [commit] = await readCommits(directory, ['-1', sha]);
  if (!commit) throw new Error(`commit ${sha} was expected in ${directory} and is not there`);
  return commit;
}

/** How far two commits are apart: `ahead` counts commits only in `head`, `behind` those only in `base`. */
export async function countAheadBehind(directory: string, base: string, head: string) {
  const text = await gitText(directory, ['rev-list', '--left-right', '--count', `${base}...${head}`]);
  const [behind = '0', ahead = '0'] = text.split('\t');
  return { ahead: Number(ahead), behind: Number(behind) };
}

/** The best common ancestor; undefined when the two have no history in common. */
export async function findMergeBase(directory: string, one: string, other: string): Promise<string | undefined> {
  const { exitCode, stdout } = await runGit(directory, ['merge-base', one, other], { accept: [1] });
  return exitCode === 0 ? stdout.toString().trim() : undefined;
}

export async function isAncestor(directory: string, ancestor: string, descendant: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', ancestor, descendant];
  return (await runGit(directory, args, { accept: [1] })).exitCode === 0;
}

function toCommit(values: readonly string[]): Commit {
  const at = (index: number): string => values[index] ?? '';
  return {
    sha: at(0).trim(),
    tree: at(1),
    parents: at(2) === '' ? [] : at(2).split(' '),
    author: { name: at(3), email: at(4), date: utc(at(5)) },
    committer: { name: at(6), email: at(7), date: utc(at(8)) },
    message: at(9).trimEnd(),
  };
}

function utc(date: string): string {
  return new Date(date).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
