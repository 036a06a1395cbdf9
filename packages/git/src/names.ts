/** Foreign names that become parts of paths or arguments of git. Texts that do not look like such names are refused. */
import { fullName, type Repository } from '@nereid/domain/root';
import { InvalidNameError } from './errors.ts';

export type RepositoryName = Pick<Repository, 'owner' | 'name'>;

/** `owner/name`, safe as the end of a path or URL. */
export function repositoryPath(repository: RepositoryName): string {
  const isSafe = [repository.owner, repository.name].every((part) => /^(?!\.{1,2}$)[\w.-]{1,100}$/.test(part));
  if (!isSafe) throw new InvalidNameError('a repository as owner/name', fullName(repository));
  return fullName(repository);
}

export function assertSha(sha: string): void {
  if (!/^[0-9a-f]{40}$/.test(sha)) throw new InvalidNameError('a commit as 40 hex digits', sha);
}

/** The id of a deployment, or of a host: one segment of a path. */
export function assertId(id: string): void {
  if (!/^[A-Za-z0-9][\w-]{0,99}$/.test(id)) throw new InvalidNameError('an id of letters, digits, "_" and "-"', id);
}

/** The rules of git-check-ref-format that matter for a name that is sent to a server. */
export function assertBranch(branch: string): void {
  // eslint-disable-next-line no-control-regex -- control characters are refused
  if (!/^(?!-)[^\u0000-\u0020\u007f~^:?*[\\]{1,250}$/.test(branch) || branch.includes('..')) {
    throw new InvalidNameError("a branch's name", branch);
  }
}
