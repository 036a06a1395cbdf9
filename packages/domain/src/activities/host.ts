import type { ApplyOutcome } from '../deployment/apply-outcome.ts';
import type { ApplyJob, HostJob } from '../deployment/host-job.ts';
import type { PlanOutcome } from '../deployment/plan-outcome.ts';
import type { Claim } from '../host/claim.ts';
import type { Signed } from '../signed.ts';

/** On the two queues of claims of the host's pool. */
export interface ClaimActivities {
  claimHost(deploymentId: string): Promise<Signed<Claim>>;
}

/** On a host's own queue. */
export interface HostActivities {
  /** Prepares, plans, keeps the plan and gives the slot back. The heartbeat names the current step. */
  planOnHost(job: HostJob): Promise<PlanOutcome>;
  /** Takes a slot, restores the kept plan if the tree is not at hand, and applies exactly that plan. One attempt only. */
  applyOnHost(job: ApplyJob): Promise<ApplyOutcome>;
  /**
   * Follows an apply whose worker was lost to its end, or says that it never began. After that, no apply of this job can
   * begin any more.
   */
  inspectApply(job: ApplyJob): Promise<ApplyOutcome>;
  /**
   * Stops the work of a deployment whose activity is cancelled at the same time: the activity itself hears of that only with its next
   * heartbeat. It does nothing where the deployment is not at work.
   */
  stopOnHost(deploymentId: string): Promise<void>;
  cleanUpHost(deploymentId: string): Promise<void>;
}

/** The heartbeat of a host's activity, for the Temporal UI. */
export interface HostHeartbeat {
  readonly step: string;
}
