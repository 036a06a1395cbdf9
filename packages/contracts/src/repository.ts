/** A repository on GitHub, with the App's installation that may act in it. */
export interface Repository {
  readonly owner: string;
  readonly name: string;
  /** GitHub's number for the installation of our App that covers this repository. Not a secret. */
  readonly installationId: number;
}

/** `owner/name`, as people and GitHub write it. */
export function fullName(repository: Pick<Repository, 'owner' | 'name'>): string {
  return `${repository.owner}/${repository.name}`;
}
