/** A repository on the forge, with the App's installation that may act in it. */
export interface Repository {
  readonly owner: string;
  readonly name: string;
  /** GitHub's number for the installation of our App that covers this repository. Not a secret. */
  readonly installationId: number;
}

/** `owner/name`, as people and forges write it. */
export function fullName(repository: Pick<Repository, 'owner' | 'name'>): string {
  return `${repository.owner}/${repository.name}`;
}

/** Temporal's limit for a fairness key. */
const FAIRNESS_KEY_BYTES = 64;

/** Where the server has fairness, repositories are served in turn: those with long names that begin alike share their turns. */
export function fairnessKey(repository: Pick<Repository, 'owner' | 'name'>): string {
  return fullName(repository).slice(0, FAIRNESS_KEY_BYTES);
}
