/**
 * Everything that happens, in business terms. Whoever does it publishes it once; the log, the metrics and the audit trail are
 * subscribers. Another attempt publishes the same event with the same id.
 */
import type { Deployment } from '../deployment/model.ts';
import type { EndedStatus } from '../deployment/status.ts';
import type { WaitReason } from '../deployment/wait-reason.ts';
import type { IntakeEvent, IntakeResult } from '../intake/intake.ts';
import type { Root } from '../root/model.ts';
import type { Repository } from '../root/repository.ts';
import type { TrailFact } from './trail-fact.ts';

export type DomainEvent =
  | StateEvent
  | ReviewReminder
  | DeploymentEnded
  | LaneUnlocked
  | RolloutHalted
  | RolloutResumed
  | WindowCloses
  | TrailFact
  | EventReceived
  | WorkflowStuck
  | WorkflowGoesOn;

/** A deployment, no preview, came into another state that lasts. */
export type StateEvent = DeploymentWaits | DeploymentGoesOn;

export interface DeploymentWaits extends OfDeployment {
  readonly kind: 'waits';
  readonly reason: WaitReason;
}

export interface DeploymentGoesOn extends OfDeployment {
  readonly kind: 'queued' | 'planning' | 'applying';
}

/** A plan has waited for its review for so long that people are reminded of it. Published once in a wait, `since` it was due. */
export interface ReviewReminder extends OfDeployment {
  readonly kind: 'reminder';
  /** The team that is asked now, `org/slug`; absent for a reminder of those who were asked before. */
  readonly team?: string;
}

/** The end of a deployment, no preview, is stored. Another end of it follows only if more speaks for that. */
export interface DeploymentEnded extends OfDeployment {
  readonly kind: 'ended';
  readonly status: EndedStatus;
  /** The end was stored before. Whoever stored it may have been stopped before it was published. */
  readonly isRepeated?: true;
}

interface OfDeployment {
  readonly id: string;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  readonly deployment: Deployment;
  /** ISO 8601. */
  readonly since: string;
  /** As people read it on the check run; of a plan that waits for a review, also whose. */
  readonly sentence: string;
}

/** A merge brought to the branch what was deployed manually, and lifted the lock of that deployment. */
export interface LaneUnlocked {
  readonly kind: 'unlocked';
  readonly id: string;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  /** The deployment that had locked its lane. */
  readonly deployment: Pick<Deployment, 'id' | 'revision'> & { readonly root: Pick<Root, 'name'> };
  /** The commit of the merge. */
  readonly merge: string;
}

/** A window closes within a day, and deployments of the repository wait. Once for each closing, however many lanes it is about. */
export interface WindowCloses {
  readonly kind: 'closing';
  readonly id: string;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  /** By the server's file. */
  readonly window: string;
  /** ISO 8601. */
  readonly closesAt: string;
  /** How many deployments wait. */
  readonly waiting: number;
  /** What becomes of those: a clause. */
  readonly sentence: string;
}

/** A check of a wave has failed too often, so the waves after it do not begin. */
export interface RolloutHalted extends OfRollout {
  readonly kind: 'halted';
}

/** A rollout goes on that a check of a wave had halted. */
export interface RolloutResumed extends OfRollout {
  readonly kind: 'resumed';
}

interface OfRollout {
  readonly id: string;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  /** The id of the `Rollout`. */
  readonly rollout: string;
  /** 40 hex digits. */
  readonly revision: string;
  /** ISO 8601. */
  readonly at: string;
  /** Which wave it is about, and what happened: "wave 1 of 2 (canary): @ada skipped it". May quote hostile answers. */
  readonly sentence: string;
}

/** An attempt to take an event of the forge or a request of the console. */
export interface EventReceived {
  readonly kind: 'received';
  readonly id: string;
  readonly delivery: string;
  readonly event: IntakeEvent;
  /** When the gateway or the console took it, ISO 8601. It comes through Temporal. */
  readonly receivedAt: string;
  /** `failed`: it threw, and is tried again unless another attempt cannot help. */
  readonly result: Pick<IntakeResult, 'kind' | 'sentence'> | { readonly kind: 'failed' };
}

/** The task of a workflow fails again and again: an operator has to look at it. Published when it is found first. */
export interface WorkflowStuck extends OfWorkflow {
  readonly kind: 'stuck';
  readonly runId: string;
  /** For everybody to read. */
  readonly reason: string;
  /** For operators only. */
  readonly failure?: string;
}

/** A workflow is stuck no more. If it is open, its check runs say so. */
export interface WorkflowGoesOn extends OfWorkflow {
  readonly kind: 'goes-on';
  /** It has ended. Absent for false. */
  readonly hasEnded?: true;
}

interface OfWorkflow {
  readonly id: string;
  readonly workflowId: string;
  /** A name from `WORKFLOW`. */
  readonly type: string;
}
