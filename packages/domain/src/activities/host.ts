import type { ApplyOutcome } from '../deployment/job/apply-outcome.ts';
import type { ApplyJob, HostJob } from '../deployment/job/host-job.ts';
import type { PlannedOnHost } from '../deployment/job/plan-outcome.ts';
import type { AtWork, Claim } from '../host/claim.ts';
import type { Signed } from '../signed.ts';

/** On the two queues of claims of the host's pool. */
export interface PlanActivities {
  /**
   * Takes a slot, prepares, plans, keeps the plan and gives the slot back. The heartbeat names the current step and the host. Temporal
   * retries only declines. Any other failure of a host that took a slot is final, and its details are a `PlanningEnded`.
   */
  claimAndPlan(job: HostJob): Promise<PlannedOnHost>;
}

/** On the queue of claims for deployments. */
export interface ClaimActivities extends PlanActivities {
  /** Takes a slot, for work on the host's own queue. */
  claimHost(deploymentId: string): Promise<Signed<Claim>>;
}

/** On a host's own queue. */
export interface HostActivities {
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

/** The heartbeat of a host's activity, for the Temporal UI. That of a plan names its host, which its workflow knows only from there. */
export interface HostHeartbeat extends Partial<AtWork> {
  readonly step: string;
}
