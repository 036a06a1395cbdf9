import type { Repository } from '../../root/repository.ts';

/** `revert/<deployment id>`: the workflow that has the last good revision planned after a failed apply. */
export function revertWorkflowId(deploymentId: string): string {
  return `revert/${deploymentId}`;
}

/** Names a deployment whose apply failed. Anybody can ask; what storage knows of it decides. */
export interface RevertRequest {
  readonly version: 1;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  readonly rootName: string;
  readonly deploymentId: string;
}

/** On the queue `deploy`, for the `ask` workflow. */
export interface RevertActivities {
  /**
   * Has the last good revision of the root planned, once. Returns a sentence that says what is planned, or why nothing is. Can be
   * retried.
   */
  prepareRevert(request: RevertRequest): Promise<string>;
}
