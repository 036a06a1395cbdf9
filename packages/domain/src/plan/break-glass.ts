import type { Repository } from '../root/repository.ts';

/** A person lets one deployment pass stops and windows, in an emergency, as control signs it. No other gate knows of it. */
export interface BreakGlass {
  readonly version: 1;
  readonly requestId: string;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  readonly deploymentId: string;
  /** Of the plan that may be applied, 64 hex digits. Absent where there was none yet: then it may be planned. */
  readonly digest?: string;
  /** The person's words: hostile. */
  readonly reason: string;
  /** Login on the forge. */
  readonly by: string;
  readonly byId?: number;
  /** ISO 8601, both. */
  readonly at: string;
  readonly until: string;
}
