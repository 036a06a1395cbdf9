import type { InParts } from '../parts.ts';
import type { Repository } from '../root/repository.ts';

/** On the queue `deploy`, for the reconcile workflow. */
export interface ReconcileActivities {
  reconcile: InParts<ReconcileParts>;
}

/** Each can be retried. */
export interface ReconcileParts {
  /** Returns every repository in which the App is installed and which the server allows. */
  listRepositories(): Promise<readonly BranchToReconcile[]>;
  /** Signals each root whose newest change reached no lane. Returns its findings, one sentence for each repository. */
  reconcileRepositories(branches: readonly BranchToReconcile[]): Promise<readonly string[]>;
  /** Has the forge send webhooks again that reached nobody. Returns a sentence for each. */
  redeliverWebhooks(): Promise<readonly string[]>;
}

export interface BranchToReconcile {
  readonly repository: Repository;
  /** The branch that is deployed. */
  readonly branch: string;
}

/** Result of the reconcile workflow, for the Temporal UI. */
export interface ReconcileResult {
  readonly repositories: number;
  /** At most 100. */
  readonly found: readonly string[];
}
