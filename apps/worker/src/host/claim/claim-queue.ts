/** How a host serves the two queues of claims. */
import type { ClaimActivities, PlanActivities } from '@nereid/domain/activities';
import type { HostJob, PlanningEnded, PlanOutcome } from '@nereid/domain/deployment';
import type { AtWork, Claim } from '@nereid/domain/host';
import type { Signed } from '@nereid/domain/signed';
import { claimQueue, previewClaimQueue } from '@nereid/domain/temporal-names';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { WorkerOptions } from '@temporalio/worker';
import { createClaimPermits, type ClaimPermits } from './claim-permits.ts';
import { toFailure } from '../../platform/failures/failures.ts';
import type { Signatures } from '../../platform/keys/signatures.ts';
import type { OpenedJob } from '../../platform/tokens/opened-job.ts';
import { HEARTBEAT_MS } from '../job/step.ts';
import { slotDeclined } from '../slots/slot-declined.ts';
import type { SlotUse } from '../slots/slot-usage.ts';
import type { Slots } from '../slots/slots.ts';

/** One poll serves a claim while the other one waits. */
const CLAIM_POLLS = 2;

export interface ClaimingHost {
  readonly hostId: string;
  readonly slots: Pick<Slots, 'claim' | 'usage' | 'onFreed' | 'freeForMs'>;
  readonly signatures: Pick<Signatures, 'enclose'>;
  /** Throws a `ForgedError`, unless intake ordered this plan of this host's pool. */
  open(job: HostJob): Promise<OpenedJob>;
  /** On the slot that the deployment holds. */
  plan(job: OpenedJob, atWork: AtWork): Promise<PlanOutcome>;
}

/** One of the two queues, as a host serves it. */
export interface ClaimService<Activities extends PlanActivities = PlanActivities> {
  readonly use: SlotUse;
  readonly activities: Activities;
  readonly permits: ClaimPermits;
}

/** A preview needs a slot only for its plan. */
export interface ClaimServices {
  readonly deployment: ClaimService<ClaimActivities>;
  readonly preview: ClaimService;
}

/** A claim that comes while a host drains or has no slot goes back to Temporal's queue at once, for another host to take. */
export function createClaimServices(host: ClaimingHost): ClaimServices {
  const deployment = createPlanService(host, 'deployment');
  const claimHost: ClaimActivities['claimHost'] = async (deploymentId) => {
    claimSlot(host, deployment, deploymentId, 'deployment');
    return signClaim(host, deploymentId);
  };
  return {
    deployment: { ...deployment, activities: { ...deployment.activities, claimHost } },
    preview: createPlanService(host, 'preview'),
  };
}

function createPlanService(host: ClaimingHost, use: SlotUse): ClaimService {
  const { hostId } = host;
  const permits = createClaimPermits(host.slots, use);

  async function opened(asked: HostJob): Promise<OpenedJob> {
    try {
      return await host.open(asked);
    } catch (error) {
      permits.decided();
      throw error;
    }
  }

  const activities: PlanActivities = {
    async claimAndPlan(asked) {
      const job = await opened(asked);
      const { deploymentId, preview } = job;
      claimSlot(host, { permits }, deploymentId, preview === undefined ? 'deployment' : 'preview');
      const since = new Date().toISOString();
      try {
        const claim = await signClaim(host, deploymentId);
        return { claim, since, outcome: await host.plan(job, { hostId, since }) };
      } catch (error) {
        throw withHost(error, { hostId, since });
      }
    },
  };
  return { use, activities, permits };
}

function claimSlot(
  { slots }: ClaimingHost,
  { permits }: Pick<ClaimService, 'permits'>,
  deploymentId: string,
  use: SlotUse,
): void {
  const isTaken = slots.claim(deploymentId, use);
  permits.decided();
  if (!isTaken) throw slotDeclined(slots);
}

function signClaim({ hostId, signatures }: ClaimingHost, deploymentId: string): Promise<Signed<Claim>> {
  return signatures.enclose('claim/host', { version: 1, deploymentId, hostId });
}

/** As the failure of a host that took a plan: Temporal retries it nowhere, and the workflow learns whose it was. */
function withHost(error: unknown, atWork: AtWork): unknown {
  const failure = toFailure(error);
  if (failure instanceof CancelledFailure) return new CancelledFailure(failure.message, [atWork], failure);
  if (!(failure instanceof ApplicationFailure)) return failure;
  const { message, type, nonRetryable, cause, category } = failure;
  const details = [{ ...atWork, isFinal: nonRetryable === true } satisfies PlanningEnded];
  const own = { nonRetryable: true, details, ...(type != null && { type }), ...(category && { category }) };
  return Object.assign(ApplicationFailure.create({ message, ...own, ...(cause && { cause }) }), {
    stack: failure.stack,
  });
}

export function claimWorker(pool: string, hostId: string, { use, activities, permits }: ClaimService) {
  // The SDK requires all suppliers; no other kind of task comes to this queue.
  const none = { type: 'fixed-size', numSlots: 1 } as const;
  return {
    taskQueue: (use === 'preview' ? previewClaimQueue : claimQueue)(pool),
    activities,
    // Temporal says it of each activity that this worker runs: so control finds the host of a plan.
    identity: hostId,
    maxConcurrentActivityTaskPolls: CLAIM_POLLS,
    maxHeartbeatThrottleInterval: HEARTBEAT_MS,
    defaultHeartbeatThrottleInterval: HEARTBEAT_MS,
    tuner: {
      activityTaskSlotSupplier: permits,
      workflowTaskSlotSupplier: none,
      localActivityTaskSlotSupplier: none,
      nexusTaskSlotSupplier: none,
    },
  } satisfies Partial<WorkerOptions>;
}
