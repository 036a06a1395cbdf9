/** The commits that a revision has and an earlier one lacks, whatever branches they came by, with the files that each changed. */
import type { Mirror } from '../mirror/mirror.ts';
import { asLines } from '../command/git-commands.ts';
import { readPaths } from './read-paths.ts';

export interface BroughtCommit {
  readonly sha: string;
  /** Against its first parent, under old names and new ones. Hostile: any characters but NUL. */
  readonly files: readonly string[];
}

export interface BroughtCommits {
  /** Those along first parents first: pushes and merges of the branch itself. Each part has the newest first. */
  readonly commits: readonly BroughtCommit[];
  /** Whether there are more. */
  readonly isCut: boolean;
}

/** A busy branch has so many in a quarter; git compares them within a second. */
const COMMITS_LIMIT = 2_000;

/** Throws `RevisionTooLargeError`. */
export async function commitsBrought(
  mirror: Pick<Mirror, 'read'>,
  { after, upTo, limit = COMMITS_LIMIT }: { readonly after: string; readonly upTo: string; readonly limit?: number },
  signal: AbortSignal | undefined,
): Promise<BroughtCommits> {
  const args = ['--topo-order', '--parents', `--max-count=${limit + 1}`, upTo, `^${after}`];
  const { stdout } = await mirror.read({ verb: 'rev-list', args, signal });
  const listed = stdout.toString().split('\n').filter(Boolean).map(parse);
  const kept = listed.slice(0, limit);
  const files = await filesOf(mirror, kept, signal);
  const ofBranch = alongFirstParents(kept, upTo);
  const sorted = [...kept.filter(({ sha }) => ofBranch.has(sha)), ...kept.filter(({ sha }) => !ofBranch.has(sha))];
  return {
    commits: sorted.map(({ sha }) => ({ sha, files: files.get(sha) ?? [] })),
    isCut: listed.length > limit,
  };
}

interface Listed {
  readonly sha: string;
  readonly parent: string | undefined;
}

function parse(line: string): Listed {
  const [sha = '', parent] = line.split(' ');
  return { sha, parent };
}

function alongFirstParents(commits: readonly Listed[], head: string): ReadonlySet<string> {
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const found = new Set<string>();
  for (let at = bySha.get(head); at !== undefined; at = bySha.get(at.parent ?? '')) found.add(at.sha);
  return found;
}

async function filesOf(
  mirror: Pick<Mirror, 'read'>,
  commits: readonly Listed[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (commits.length === 0) return new Map();
  // Git takes the second id of a line for the only parent.
  const input = asLines(commits.map(({ sha, parent }) => (parent === undefined ? sha : `${sha} ${parent}`)));
  const args = ['--stdin', '--root', '-r', '-z', '--raw', '--no-renames'];
  return parseChanges(await readPaths(mirror, { verb: 'diff-tree', args, input, signal }));
}

/**
 * The id of each commit, then for each of its files a text that begins with a colon, and the path. The texts are why this is
 * not read by `--name-only`: a path may look like the id of a commit.
 */
function parseChanges(output: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  let files: string[] = [];
  const tokens = output.split('\0').values();
  for (const token of tokens) {
    if (token.startsWith(':')) files.push(tokens.next().value ?? '');
    else if (token !== '') found.set(token, (files = []));
  }
  return found;
}
