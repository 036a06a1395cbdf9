import type { Repository } from '@nereid/domain/root';

/** A secret. */
export interface GitToken {
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A token with which git reads this repository, and `others` of its owner, and nothing else. Lives for five minutes at least. */
export type ReadToken = (repository: Repository, others?: readonly string[]) => Promise<GitToken>;
