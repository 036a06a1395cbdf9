import { fullName, type Repository } from '../root/repository.ts';

/** `<owner>/<repo>@<sha>`: the workflow that shows how all roots of a revision are doing. */
export function rolloutWorkflowId(repository: Pick<Repository, 'owner' | 'name'>, sha: string): string {
  return `${fullName(repository)}@${sha}`;
}
