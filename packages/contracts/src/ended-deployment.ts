import type { EndedStatus, Progress, Revision, Trigger } from './deployment.ts';
import type { Repository } from './repository.ts';

/** What lists and sums need to know of a deployment that ended. Its record in storage has everything. */
export interface EndedDeployment {
  readonly version: 1;
  readonly id: string;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  readonly rootName: string;
  readonly revision: Revision;
  readonly trigger: Trigger;
  readonly rerun: boolean;
  /** GitHub login. */
  readonly requestedBy: string;
  readonly pullRequest?: number;
  readonly status: EndedStatus;
  /** ISO 8601, like all times here. */
  readonly receivedAt: string;
  readonly times: Progress['times'];
  readonly endedAt: string;
  /** Absent when there was no plan. */
  readonly hasChanges?: boolean;
  /** GitHub login. */
  readonly reviewedBy?: string;
}
