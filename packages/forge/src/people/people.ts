import type { Repository } from '@nereid/domain/root';

/** Permissions on a repository, the least first. */
export const PERMISSIONS = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export interface ReaderFound {
  readonly mayRead: boolean;
  /** How long ago the forge said so, in milliseconds. */
  readonly ageMs: number;
}

/** The forge's facts about a person. */
export interface People {
  /** A person without access to the repository has `none`. */
  permissionOf(repository: Repository, login: string): Promise<Permission>;
  /** The id of the person who has this login at the moment, asked as who may see the repository; absent where nobody has it. */
  idOf(repository: Repository, login: string): Promise<number | undefined>;
  /**
   * Whether somebody who looks at pages may read a repository. Never for what they do: that is asked again. Throws a
   * `ForgeUnavailableError` also when others need the budget of requests.
   */
  findReader(repository: Repository, login: string): Promise<ReaderFound>;
}
