import type { Repository } from './repository.ts';

/**
 * The start input of the `lateOutcome` workflow. A host that came back tells the outcome of an apply that it had begun, and that
 * was given up as unknown.
 */
export interface LateOutcome {
  readonly version: 1;
  readonly repository: Repository;
  readonly rootName: string;
  /** As in `Root`. */
  readonly pool?: string;
  readonly deploymentId: string;
  /** For people, at most 500 characters. Quotes Terraform: hostile. */
  readonly sentence: string;
  /** The host's, over `lateOutcomeFacts`. */
  readonly signature?: string;
}
