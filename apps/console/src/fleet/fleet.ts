/** All lanes, as the console keeps them in memory: their records in storage, joined with what Temporal says of running ones. */
import type { Deployment, DeploymentStatus, Latest, LiftedLock, Lock, Repository } from '@nereid/contracts';
import type { LaneName } from '@nereid/github';

/** A lane without what only the lane itself needs. */
export interface FleetLane {
  readonly repository: Repository;
  readonly rootName: string;
  readonly latest?: Latest;
  readonly lock?: Lock;
  readonly lifted: readonly LiftedLock[];
  readonly running?: Deployment;
  /** Of the running deployment, by Temporal: newer than its progress. */
  readonly runningStatus?: DeploymentStatus;
  /** In the order in which they will run. */
  readonly waiting: readonly Deployment[];
  /** When the record was seen to change. ISO 8601. */
  readonly changedAt: string;
}

export interface Fleet {
  /** By repository and root. Empty until the first reading has ended. */
  lanes(): readonly FleetLane[];
  lane(name: LaneName): FleetLane | undefined;
  /** The lane in which this deployment runs or waits. */
  laneOf(deploymentId: string): FleetLane | undefined;
  /** Resolves once the picture was read for the first time, or could not be read. */
  ready(): Promise<void>;
  /** The sources that did not answer at the last reading. */
  unavailable(): readonly ('temporal' | 'storage')[];
  /** Calls the listener for each change, until the returned function is called. */
  onChange(listener: (change: FleetChange) => void): () => void;
  close(): void;
}

export interface FleetChange {
  /** Counts up; the same change has another number in another console. */
  readonly sequence: number;
  readonly lane: LaneName;
}
