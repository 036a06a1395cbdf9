import type { Repository } from '../root/repository.ts';

/** The start input of the rollout workflow. It shows only what is in storage, so somebody who starts one can show nothing else. */
export interface RolloutInput {
  readonly repository: Repository;
  /** The revision, 40 hex digits. */
  readonly sha: string;
}

export interface RolloutActivities {
  /**
   * Writes the check run `nereid/rollout` of a revision. While its roots go on, the activity fails, so that the server retries it
   * without an event of history, each time with what it remembers by its last heartbeat. Returns a sentence about its end.
   */
  showRollout(repository: Repository, sha: string): Promise<string>;
}
