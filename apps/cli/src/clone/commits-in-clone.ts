/** The commits to which a name leads in the clone in which the person stands. */
import type { World } from '../world.ts';
import { gitIn, type Git } from './git.ts';

export interface NamedCommit {
  readonly sha: string;
  /** What has this name, like `branch origin/main`. */
  readonly name: string;
}

/** Undefined outside of a clone of the repository, `owner/name`, or without git. */
export async function commitsInClone(
  world: Pick<World, 'folder' | 'env'>,
  repository: string,
  text: string,
): Promise<readonly NamedCommit[] | undefined> {
  const git = gitIn(world);
  const remotes = await git('config', '--get-regexp', String.raw`^remote\..*\.url$`);
  if (remotes?.split('\n').some((line) => isOf(line, repository)) !== true) return undefined;
  const refs = [`refs/heads/${text}`, `refs/tags/${text}`, `refs/remotes/origin/${text}`, `refs/remotes/${text}`];
  const listed = await git('for-each-ref', '--format=%(refname) %(objectname) %(*objectname)', ...refs);
  const named = (listed ?? '').split('\n').flatMap((line) => {
    const [ref = '', object = '', commit = object] = line.split(' ');
    // A tag may name a commit through an object of its own. Branches below the name are others.
    return refs.includes(ref) ? [{ sha: commit === '' ? object : commit, name: nameOf(ref) }] : [];
  });
  const direct = /^([0-9a-f]{4,40}|HEAD)$/.test(text) ? await beginningWith(git, text) : [];
  return [...named, ...direct];
}

async function beginningWith(git: Git, text: string): Promise<readonly NamedCommit[]> {
  const one = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${text}^{commit}`);
  if (one !== undefined) return [{ sha: one, name: text === 'HEAD' ? 'HEAD of this clone' : 'commit' }];
  const objects = (await git('rev-parse', `--disambiguate=${text}`))?.split('\n') ?? [];
  const types = await Promise.all(objects.map(async (sha) => [sha, await git('cat-file', '-t', sha)] as const));
  return types.filter(([, type]) => type === 'commit').map(([sha]) => ({ sha, name: 'commit' }));
}

/** Of `git@github.com:acme/infra.git` and `https://github.com/acme/infra`. */
function isOf(line: string, repository: string): boolean {
  const url = line.slice(line.indexOf(' ') + 1).toLowerCase();
  return [`/${repository}`, `:${repository}`].some((end) =>
    url.replace(/(\.git)?\/?$/, '').endsWith(end.toLowerCase()),
  );
}

function nameOf(ref: string): string {
  return ref.replace(/^refs\/tags\//, 'tag ').replace(/^refs\/(heads|remotes)\//, 'branch ');
}
