/** A deployment at work: its progress, its gate, and how both are told. */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import {
  ApplicationFailure,
  CancellationScope,
  defineQuery,
  defineSignal,
  getExternalWorkflowHandle,
  setHandler,
  upsertSearchAttributes,
  uuid4,
} from '@temporalio/workflow';
import {
  MESSAGE,
  SEARCH_ATTRIBUTE,
  type Cancelling,
  type HostJob,
  type Job,
  type Notice,
  type PlanReview,
  type PressAuditEvent,
  type Progress,
  type TerraformDurations,
  type TerraformInput,
  type TerraformState,
} from '@nereid/contracts';
import { recordUntilStored, signalLane } from './activities.ts';
import { reviewEvent } from './audit.ts';
import { terraformDurations } from './durations.ts';
import { judgeReview, type Gate } from './gate.ts';
import { newProgress } from './progress.ts';
import { isReadable } from './readable.ts';

export interface Run {
  readonly input: TerraformInput;
  readonly durations: TerraformDurations;
  progress: Progress;
  gate: Gate | undefined;
  /** The requests of all reviews that came. */
  readonly presses: Set<string>;
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
  /** What was told to the lane, in order. */
  told: Promise<void>;
  /** How many presses are not in the audit trail yet. */
  unrecorded: number;
}

const planReview = defineSignal<[PlanReview]>(MESSAGE.planReview);
const cancelling = defineSignal<[Cancelling]>(MESSAGE.cancelling);
const progressQuery = defineQuery<Progress>(MESSAGE.progress);

export function openRun(input: TerraformInput): Run {
  const run: Run = {
    input,
    durations: { ...terraformDurations, ...input.durations },
    progress: newProgress(timestamp()),
    gate: undefined,
    presses: new Set(),
    hostId: undefined,
    waitedMs: 0,
    hosts: new Set(),
    keepsPlan: false,
    cancelledBy: undefined,
    told: Promise.resolve(),
    unrecorded: 0,
  };
  setHandler(planReview, (message) => {
    if (isReadable(MESSAGE.planReview, message)) takeReview(run, message);
  });
  setHandler(cancelling, (message) => {
    if (isReadable(MESSAGE.cancelling, message)) run.cancelledBy ??= message.by;
  });
  setHandler(progressQuery, () => run.progress);
  return run;
}

/**
 * The first valid answer opens the gate; any other is told to the person on the check run, and changes nothing. The same
 * press that is sent again is neither. What came of it goes to the audit trail: only here it is known.
 */
function takeReview(run: Run, message: PlanReview): void {
  if (run.presses.has(message.requestId)) return;
  run.presses.add(message.requestId);
  const verdict = judgeReview(run.gate, message, timestamp(), run.progress);
  void record(run, reviewEvent(run.input, message, verdict, timestamp()));
  if (verdict.kind === 'refused') tellNotice(run, verdict.sentence);
  else if (run.gate !== undefined) run.gate = { ...run.gate, answer: verdict.review };
}

/** Whatever is cancelled meanwhile. The deployment goes on, and does not end before it is stored. */
async function record(run: Run, event: PressAuditEvent): Promise<void> {
  run.unrecorded += 1;
  await CancellationScope.nonCancellable(() => recordUntilStored(event));
  run.unrecorded -= 1;
}

const STATE = defineSearchAttributeKey(SEARCH_ATTRIBUTE.state, SearchAttributeType.KEYWORD);

/** Keeps what the workflow can be found by true. */
export function showState(run: Run): void {
  upsertSearchAttributes([{ key: STATE, value: run.progress.status }]);
}

/** Signals the progress to the lane, in the background and in order. A lane that has ended is started by it. */
export function tell(run: Run): void {
  const { deploymentId, repository, root } = run.input;
  const state: TerraformState = { version: 1, deploymentId, progress: run.progress };
  inOrder(run, () => signalLane(repository, root.name, state));
}

/** A lane that ended meanwhile has nobody to show a notice to. */
function tellNotice(run: Run, sentence: string): void {
  const { deploymentId, laneId } = run.input;
  const notice: Notice = { version: 1, deploymentId, sentence };
  inOrder(run, async () => {
    try {
      await getExternalWorkflowHandle(laneId).signal(MESSAGE.notice, notice);
    } catch (error) {
      if (!isLaneAway(error)) throw error;
    }
  });
}

/**
 * Whatever is cancelled meanwhile, what was said is delivered. What cannot be delivered holds up neither the next message
 * nor the deployment: the lane learns the end as the deployment's result.
 */
function inOrder(run: Run, send: () => Promise<void>): void {
  run.told = run.told.then(() => CancellationScope.nonCancellable(send)).catch(() => undefined);
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

export function hostJob(run: Run, job: Job): HostJob {
  const { deploymentId, repository, root, revision, requestedBy } = run.input;
  return { deploymentId, jobId: job.id, repository, root, revision, requestedBy };
}

/** Times of the workflow's own clock, which replays. */
export function timestamp(): string {
  return new Date(Date.now()).toISOString();
}

function isLaneAway(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === 'ExternalWorkflowExecutionNotFound';
}
