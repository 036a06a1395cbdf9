/** Questions about commits, answered from the mirror; only `askBranch` asks the server. */
import type { Revision } from '@nereid/domain/deployment';
import type { Mirror } from '../mirror/mirror.ts';
import { asLines } from '../command/git-commands.ts';
import { assertBranch, assertSha } from '../names.ts';

/** A title is one line of a check run. */
const TITLE_LIMIT = 200;

export async function describeRevision(
  mirror: Mirror,
  sha: string,
  branch: string,
  signal: AbortSignal | undefined,
): Promise<Revision> {
  const [message, count] = await Promise.all([
    mirror.read({ verb: 'log', args: ['--max-count=1', '--no-show-signature', '--format=%an%x00%B', sha], signal }),
    mirror.read({ verb: 'rev-list', args: ['--first-parent', '--count', sha], signal }),
  ]);
  const [author = '', body = ''] = message.stdout.toString().split('\0');
  const title = body.trimStart().split('\n', 1)[0] ?? '';
  return {
    sha,
    branch,
    position: Number(count.stdout.toString()),
    title: cut(title.trimEnd()),
    author: cut(author),
  };
}

/** Git's id of all files of a commit. */
export async function treeIdOf(mirror: Mirror, sha: string, signal: AbortSignal | undefined): Promise<string> {
  const args = ['--max-count=1', '--no-show-signature', '--format=%T', sha];
  const { stdout } = await mirror.read({ verb: 'log', args, signal });
  return stdout.toString().trim();
}

/** The server's answer about its branches at this moment. */
export interface AskedBranch {
  /** The commit that the branch points at; undefined when there is no such branch. */
  readonly head: string | undefined;
  /** The default branch; undefined when the server does not tell. */
  readonly defaultBranch: string | undefined;
}

export async function askBranch(mirror: Mirror, branch: string, signal: AbortSignal | undefined): Promise<AskedBranch> {
  assertBranch(branch);
  const ref = `refs/heads/${branch}`;
  const { stdout } = await mirror.ask({ verb: 'ls-remote', args: ['--symref', 'origin', 'HEAD', ref], signal });
  // A branch may have a name that ends in HEAD.
  const said = new Map(
    stdout
      .toString()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([value = '', name = '']) => [value.startsWith(TO_BRANCH) ? `to ${name}` : name, value]),
  );
  return { head: said.get(ref), defaultBranch: said.get('to HEAD')?.slice(TO_BRANCH.length) };
}

/** How git says that a reference leads to a branch. */
const TO_BRANCH = 'ref: refs/heads/';

/** The best common ancestor; undefined when the histories have nothing in common. */
export async function mergeBaseOf(
  mirror: Mirror,
  a: string,
  b: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const { stdout } = await mirror.read({ verb: 'merge-base', args: [a, b], accepted: [1], signal });
  return stdout.toString().trim() || undefined;
}

export async function isAncestorOf(mirror: Mirror, ancestor: string, descendant: string): Promise<boolean> {
  if (ancestor === descendant) return true;
  const pair = `${ancestor} ${descendant}`;
  const known = mirror.ancestors.get(pair);
  if (known !== undefined) return known;
  const args = ['--is-ancestor', ancestor, descendant];
  // For all who ask meanwhile: nobody else's signal stops it.
  const answer = mirror
    .read({ verb: 'merge-base', args, accepted: [1], signal: undefined })
    .then(({ exitCode }) => exitCode === 0);
  mirror.ancestors.set(pair, answer);
  answer.catch(() => mirror.ancestors.delete(pair));
  return answer;
}

/** Returns the commits that are the head or an ancestor of it; a commit that the mirror lacks is neither. */
export async function containedIn(
  mirror: Mirror,
  head: string,
  shas: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  shas.forEach(assertSha);
  const present = await mirror.presentOf(shas, signal);
  const input = asLines([`^${head}`, ...present]);
  const { stdout } = await mirror.read({ verb: 'rev-list', args: ['--stdin'], input, signal });
  const outside = new Set(stdout.toString().split('\n'));
  return present.filter((sha) => !outside.has(sha));
}

/** The commits of a branch, along first parents, after one of them and up to another, oldest first. */
export async function firstParentsBetween(
  mirror: Mirror,
  { after, upTo }: { readonly after: string; readonly upTo: string },
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const args = ['--first-parent', upTo, `^${after}`];
  const { stdout } = await mirror.read({ verb: 'rev-list', args, signal });
  return stdout.toString().split('\n').filter(Boolean).toReversed();
}

/** Undefined for a root commit. */
export async function firstParentOf(
  mirror: Mirror,
  sha: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const { stdout } = await mirror.read({ verb: 'rev-list', args: ['--parents', '--max-count=1', sha], signal });
  return stdout.toString().trim().split(' ')[1];
}

/** Leaves no half character at the end. */
function cut(text: string): string {
  return text.slice(0, TITLE_LIMIT).replace(/[\ud800-\udbff]$/, '');
}
