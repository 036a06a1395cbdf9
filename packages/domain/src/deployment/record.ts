import type { Repository } from '../root/repository.ts';
import type { Trigger } from './request.ts';
import type { Carrier, Deployment } from './model.ts';
import type { Progress } from './progress.ts';
import type { Revision } from './revision.ts';
import type { EndedStatus } from './status.ts';

/** A deployment that ended, as it is stored once and for all. */
export interface DeploymentRecord {
  readonly version: 1;
  readonly repository: Repository;
  readonly deployment: Deployment;
  /** ISO 8601. */
  readonly endedAt: string;
}

/** What lists and sums need to know of a deployment that ended. Its record in storage has everything. */
export interface EndedDeployment {
  readonly version: 1;
  readonly id: string;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  readonly rootName: string;
  readonly revision: Revision;
  readonly trigger: Trigger;
  readonly rerun: boolean;
  /** Login on the forge. */
  readonly requestedBy: string;
  readonly pullRequest?: number;
  readonly status: EndedStatus;
  readonly carrier?: Carrier;
  /** ISO 8601, like all times here. */
  readonly receivedAt: string;
  readonly times: Progress['times'];
  readonly endedAt: string;
  /** Absent when there was no plan. */
  readonly hasChanges?: boolean;
  /** Login on the forge. */
  readonly reviewedBy?: string;
}
