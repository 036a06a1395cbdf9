import { fullName, type Repository } from '../root/repository.ts';
import type { PreviewSubject } from './model.ts';

/** `<owner>/<repo>#<number>`, with `@<group>` for a group of a merge queue: the workflow that looks after its previews. */
export function pullRequestWorkflowId(
  repository: Pick<Repository, 'owner' | 'name'>,
  { number, group }: PreviewSubject,
): string {
  return `${fullName(repository)}#${number}${group === undefined ? '' : `@${group}`}`;
}

/** The number in `pullRequestWorkflowId`; undefined when the id does not belong to a pull request, but to a group, for instance. */
export function parsePullRequestWorkflowId(id: string): number | undefined {
  const digits = /^[^/#]+\/[^/#]+#(?<number>\d{1,9})$/.exec(id)?.groups?.['number'];
  return digits === undefined ? undefined : Number(digits);
}
