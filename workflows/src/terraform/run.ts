/** A deployment at work: how far it is, its gate, and what is still to be written of it. */
import { CancellationScope, log, upsertSearchAttributes, uuid4 } from '@temporalio/workflow';
import {
  type AuditEvent,
  type CheckRunRef,
  type Deployment,
  type HostJob,
  type Job,
  type Progress,
  type Reported,
  type ShownNotice,
  type TerraformDurations,
  type TerraformInput,
  type Unlocked,
} from '@nereid/contracts';
import { afterState, withNotice } from '@nereid/lane';
import { STATE } from '../search-attributes.ts';
import { timestamp } from '../timestamp.ts';
import { durationsOf } from './durations.ts';
import type { Gate } from './gate/gate.ts';
import { newProgress } from './progress.ts';

export interface Run {
  readonly input: TerraformInput;
  readonly durations: TerraformDurations;
  /** Changed by `advanceTo` and `note` alone. */
  readonly progress: Progress;
  gate: Gate | undefined;
  /** The requests of all reviews that came. */
  readonly reviews: Set<string>;
  /** The host that holds the plan's working tree. */
  hostId: string | undefined;
  /** How long it has waited for hosts, in ms: no failure, whatever else is being tried again. */
  waitedMs: number;
  /** Every host that has something of this deployment on its disk and does not clean up by itself. */
  readonly hosts: Set<string>;
  /** Whether a plan may be kept in storage that nobody else deletes. */
  keepsPlan: boolean;
  /** Who asked for a cancellation; undefined: nobody, or somebody in Temporal. */
  cancelledBy: string | undefined;
  /** Who lifted the lock that this deployment has set. */
  unlocked: Unlocked | undefined;
  checkRuns: readonly CheckRunRef[];
  reported: Reported;
  /** GitHub is being told something. */
  isWriting: boolean;
  /** What is being written may be overwritten: it is written once more. */
  isToShowAgain: boolean;
  notice: ShownNotice | undefined;
  /** How often GitHub took nothing for an hour. */
  hoursUnshown: number;
  /** Events for the audit trail that the next write of it brings along. */
  readonly audits: AuditEvent[];
  /** What goes on behind the deployment's back, and has to be over before the workflow is. */
  readonly background: Promise<unknown>[];
}

export function openRun(input: TerraformInput): Run {
  const { deployment, reported } = input;
  return {
    input,
    durations: durationsOf(deployment.root, input.durations),
    progress: newProgress(timestamp()),
    gate: undefined,
    reviews: new Set(),
    hostId: undefined,
    waitedMs: 0,
    hosts: new Set(),
    keepsPlan: false,
    cancelledBy: undefined,
    unlocked: deployment.unlocked,
    checkRuns: deployment.checkRuns,
    reported,
    isWriting: false,
    isToShowAgain: false,
    notice: undefined,
    hoursUnshown: 0,
    audits: [],
    background: [],
  };
}

/** A new state; a notice about the state before stays for as long as it takes to read it. */
export function advanceTo(run: Run, progress: Progress): void {
  const { id } = run.input.deployment;
  if (run.notice !== undefined) run.notice = afterState({ [id]: run.notice }, id, timestamp())[id];
  Object.assign(run, { progress });
}

/** More about the state that it is in. */
export function note(run: Run, progress: Progress): void {
  Object.assign(run, { progress });
}

/** A sentence for a person who just asked for something. */
export function notify(run: Run, sentence: string): void {
  const { id } = run.input.deployment;
  run.notice = withNotice({}, id, sentence, timestamp())[id];
}

/** The deployment as it is by now; its lane knows what came before it was started. */
export function deploymentOf({ input: { deployment }, progress, checkRuns, unlocked }: Run): Deployment {
  const times = { ...deployment.progress.times, ...progress.times };
  return { ...deployment, checkRuns, ...(unlocked && { unlocked }), progress: { ...progress, times } };
}

/** Whatever is cancelled meanwhile, and whatever comes of it: one that fails for good does not keep the workflow from its end. */
export function inBackground(run: Run, what: string, work: () => Promise<unknown>): void {
  run.background.push(
    CancellationScope.nonCancellable(work).catch((error: unknown) => {
      log.warn(`${what} failed for good`, { reason: error instanceof Error ? error.message : String(error) });
    }),
  );
}

/** Keeps what the workflow can be found by true. */
export function showState(run: Run): void {
  upsertSearchAttributes([{ key: STATE, value: run.progress.status }]);
}

/** Why a cancelled deployment is. */
export function whyCancelled({ cancelledBy }: Run): string {
  return cancelledBy === undefined ? 'Cancelled in Temporal' : `Cancelled by @${cancelledBy}`;
}

/** A new job of this deployment. */
export function openJob(): Job {
  return { id: uuid4(), startedAt: timestamp() };
}

/** A host that answered with the end of the deployment cleans up by itself, the kept plan too. */
export function leaveToHost(run: Run, hostId: string): void {
  run.hosts.delete(hostId);
  run.keepsPlan = false;
}

export function closeJob(job: Job): Job {
  return { ...job, endedAt: timestamp() };
}

export function hostJob({ input: { repository, deployment } }: Run, job: Job): HostJob {
  const { id, root, revision, requestedBy } = deployment;
  return { deploymentId: id, jobId: job.id, repository, root, revision, requestedBy };
}
