/** A deployment at work: its progress, its gate, and the writes that are still to come. */
import { CancellationScope, log, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import {
  jobIdOf,
  orderOf,
  type AuditEvent,
  type Cancellation,
  type CheckRunRef,
  type Claim,
  type Deployment,
  type HostJob,
  type Signed,
  type Job,
  type NoticeProof,
  type PlanReview,
  type Progress,
  type Reported,
  type Review,
  type ShownNotice,
  type TerraformDurations,
  type TerraformInput,
  type Unlocked,
} from '@nereid/contracts';
import { afterState, withNotice } from '@nereid/lane';
import { STATE } from '../search-attributes.ts';
import { timestamp } from '../timestamp.ts';
import { durationsOf } from './durations.ts';
import { newProgress } from './progress.ts';

export interface Run {
  readonly input: TerraformInput;
  readonly durations: TerraformDurations;
  /** Only `advanceTo` and `note` change it. */
  readonly progress: Progress;
  gate: Gate | undefined;
  /** The request ids of all reviews that intake signed. */
  readonly reviews: Set<string>;
  /** The approval of the present plan, as it came. */
  approval: PlanReview | undefined;
  /** The answer of the host that holds the plan's working tree, or that is to apply. */
  claim: Signed<Claim> | undefined;
  /** How long it has waited for hosts, in milliseconds. Such a wait is no failure, and uses up no patience. */
  waitedMs: number;
  /** How many jobs of each phase there were. */
  readonly jobsOpened: Record<'plan' | 'apply', number>;
  /** Every host that has something of this deployment on its disk and does not clean up by itself. */
  readonly hosts: Set<string>;
  /** Whether storage may hold a kept plan that nobody else deletes. */
  keepsPlan: boolean;
  /** Who asked for a cancellation; undefined for nobody, or for somebody in Temporal. */
  cancellation: Cancellation | undefined;
  /** Who lifted the lock that this deployment has set. */
  unlocked: Unlocked | undefined;
  checkRuns: readonly CheckRunRef[];
  reported: Reported;
  /** A write to GitHub is under way. */
  isWriting: boolean;
  /** The write that is under way may be overwritten, so it is repeated. */
  isToShowAgain: boolean;
  notice: ShownNotice | undefined;
  /** How often GitHub took nothing for an hour. */
  hoursUnshown: number;
  /** Events that go with the next write to the audit trail. */
  readonly audits: AuditEvent[];
  /** Work beside the deployment, which has to be over before the workflow ends. */
  readonly background: Promise<unknown>[];
}

/** The wait for a person. It is undefined before the plan is shown, and once nobody can answer any more. */
export interface Gate {
  readonly digest: string;
  /** An approval counts once control has given permission to apply; until then, nobody knows whether intake signed it. */
  readonly answer?: Review;
}

export function openRun(input: TerraformInput): Run {
  const { deployment, reported } = input;
  return {
    input,
    durations: durationsOf(deployment, input.durations),
    progress: newProgress(timestamp()),
    gate: undefined,
    reviews: new Set(),
    approval: undefined,
    claim: undefined,
    waitedMs: 0,
    jobsOpened: { plan: 0, apply: 0 },
    hosts: new Set(),
    keepsPlan: false,
    cancellation: undefined,
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

/** Enters a new state. A notice about the previous state stays long enough to be read. */
export function advanceTo(run: Run, progress: Progress): void {
  const { id } = run.input.deployment;
  if (run.notice !== undefined) run.notice = afterState({ [id]: run.notice }, id, timestamp())[id];
  Object.assign(run, { progress });
}

/** Adds to the present state. */
export function note(run: Run, progress: Progress): void {
  Object.assign(run, { progress });
}

/** Shows a sentence to a person who just asked for something. */
export function notify(run: Run, sentence: string, proof?: NoticeProof): void {
  const { id } = run.input.deployment;
  run.notice = withNotice({}, id, { sentence, ...(proof && { proof }) }, timestamp())[id];
}

/** The deployment last made from each progress, so that its appearance on GitHub is computed once. */
const lastDeployments = new WeakMap<Progress, Deployment>();

/** The deployment as it stands, with the lane's times from before its start; the same object until something changes. */
export function deploymentOf({ input: { deployment }, progress, checkRuns, unlocked, cancellation }: Run): Deployment {
  const last = lastDeployments.get(progress);
  if (last?.checkRuns === checkRuns && last.unlocked === unlocked && last.cancellation === cancellation) return last;
  const times = { ...deployment.progress.times, ...progress.times };
  const people = { ...(unlocked && { unlocked }), ...(cancellation && { cancellation }) };
  const changed = { ...deployment, checkRuns, ...people, progress: { ...progress, times } };
  lastDeployments.set(progress, changed);
  return changed;
}

/** A cancellation does not stop this work. If the work fails for good, the workflow ends all the same. */
export function inBackground(run: Run, what: string, work: () => Promise<unknown>): void {
  run.background.push(
    CancellationScope.nonCancellable(work).catch((error: unknown) => {
      log.warn(`${what} failed for good`, { reason: error instanceof Error ? error.message : String(error) });
    }),
  );
}

/** Keeps the search attribute of the state true; written only when it differs. */
export function showState({ progress: { status } }: Run): void {
  if (workflowInfo().typedSearchAttributes.get(STATE) !== status)
    upsertSearchAttributes([{ key: STATE, value: status }]);
}

/** Whether nothing is applied, whatever the plan says. */
export function isPreview({ input }: Run): boolean {
  return input.deployment.trigger === 'preview';
}

/** Why a deployment was cancelled. */
export function whyCancelled(run: Run): string {
  const { cancellation } = run;
  if (isPreview(run)) return 'A newer plan is made, or the pull request was closed';
  return cancellation === undefined ? 'Cancelled in Temporal' : `Cancelled by @${cancellation.by}`;
}

export function openJob({ input, jobsOpened }: Run, phase: 'plan' | 'apply'): Job {
  jobsOpened[phase] += 1;
  return { id: jobIdOf(input.deployment.id, phase, jobsOpened[phase]), startedAt: timestamp() };
}

/** A host whose answer ends the deployment cleans up by itself, and also deletes the kept plan. */
export function delegateCleanUp(run: Run, hostId: string): void {
  run.hosts.delete(hostId);
  run.keepsPlan = false;
}

export function closeJob(job: Job): Job {
  return { ...job, endedAt: timestamp() };
}

export function hostJob({ input: { repository, deployment } }: Run, job: Job): HostJob {
  return { jobId: job.id, order: orderOf(repository, deployment) };
}
