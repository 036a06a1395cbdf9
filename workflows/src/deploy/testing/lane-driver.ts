/** Drives one lane of a test: sends what people and GitHub send, and waits for what they would see. */
import type { Cancel, Deployment, Progress, Unlock } from '@nereid/domain/deployment';
import {
  laneWorkflowId,
  type CarriedLane,
  type LaneAnswer,
  type LaneDurations,
  type LaneHint,
  type LaneView,
  type NewRevision,
} from '@nereid/domain/lane';
import { defined } from '@nereid/domain/defined';
import { CONTROL_QUEUE, MESSAGE, SEARCH_ATTRIBUTE, WORKFLOW } from '@nereid/domain/temporal-names';
import { WorkflowNotFoundError, type WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { aNotice, anUnlock, aPress, REPOSITORY } from '@nereid/domain/testing';
import type { Signed } from '@nereid/domain/signed';
import { STATE } from '../../search-attributes.ts';
import type { FakeWorld } from './fake-world.ts';

const DURATIONS: LaneDurations = {
  // Longer than any test: those about the end of a lane say so.
  idleMs: 60_000,
  quietMs: 10,
  positionsMs: 50,
  storeMs: 10,
  retryMs: 20,
  retryLimitMs: 100,
  dependenciesMs: 20,
  dependenciesLimitMs: 100,
};

const ROOT_NAME = 'network';

interface Costs {
  readonly events: number;
  readonly tasks: number;
  readonly activities: readonly string[];
}

export class LaneDriver {
  readonly world: FakeWorld;
  readonly handle: WorkflowHandle;
  private readonly environment: WorkflowEnvironment;
  private readonly durations: LaneDurations;

  constructor(environment: WorkflowEnvironment, world: FakeWorld, durations: Partial<LaneDurations> = {}) {
    this.environment = environment;
    this.world = world;
    this.durations = { ...DURATIONS, ...durations };
    this.handle = environment.client.workflow.getHandle(laneWorkflowId(REPOSITORY, ROOT_NAME));
  }

  merge = (revision: NewRevision, hint?: LaneHint): Promise<void> => this.send(MESSAGE.newRevision, revision, hint);

  unlock = (): Promise<void> => this.send(MESSAGE.unlock, anUnlock({ by: 'bob', askedAt: new Date().toISOString() }));

  /** Presses Unlock on the check run of a deployment. */
  pressUnlock = (requestId: string, deploymentId: string): Promise<LaneAnswer> =>
    this.ask(MESSAGE.unlock, anUnlock({ requestId, by: 'bob', deploymentId, askedAt: new Date().toISOString() }));

  /** Sends a request, and returns the lane's answer. */
  async ask(signal: string, request: Signed<Unlock> | Signed<Cancel>): Promise<LaneAnswer> {
    const { requestId } = request.body;
    await this.send(signal, request);
    return eventually(`an answer to ${requestId}`, async () => {
      const answer = await this.handle.query<LaneAnswer, [string]>(MESSAGE.answer, requestId);
      return answer.kind === 'pending' ? undefined : answer;
    });
  }

  /** Starts the lane with the input that a previous run would hand over. */
  async start(carried: CarriedLane): Promise<void> {
    await this.environment.client.workflow.start(WORKFLOW.deploy, {
      workflowId: this.handle.workflowId,
      taskQueue: CONTROL_QUEUE,
      args: [{ repository: REPOSITORY, rootName: ROOT_NAME, durations: this.durations, carried }],
    });
  }

  /** Makes its history longer until another run takes over; `meanwhile` ends it earlier. */
  async carriesOn(isEnough: () => Promise<boolean> = async () => false): Promise<void> {
    const { runId } = await this.handle.describe();
    const notice = aNotice({ deploymentId: 'none', sentence: 'only makes the history longer' });
    await eventually('another run', async () => {
      await Promise.all(Array.from({ length: 10 }, () => this.send(MESSAGE.notice, notice)));
      if (await isEnough()) return true;
      return (await this.handle.describe()).runId === runId ? undefined : true;
    });
  }

  /** As an operator does it in the Temporal UI: the first task of its run is done again, with all that came since. */
  async reset(): Promise<void> {
    const { workflowService, options } = this.environment.client.workflow;
    const { workflowId } = this.handle;
    const { events } = await this.handle.fetchHistory();
    const firstTask = events?.find(({ workflowTaskCompletedEventAttributes: done }) => done);
    await workflowService.resetWorkflowExecution({
      namespace: options.namespace,
      workflowExecution: { workflowId },
      workflowTaskFinishEventId: firstTask?.eventId ?? null,
      requestId: randomUUID(),
      reason: 'a test',
    });
  }

  async send(signal: string, message: unknown, hint?: LaneHint): Promise<void> {
    await this.environment.client.workflow.signalWithStart(WORKFLOW.deploy, {
      workflowId: this.handle.workflowId,
      taskQueue: CONTROL_QUEUE,
      args: [{ repository: REPOSITORY, rootName: ROOT_NAME, durations: this.durations, ...defined({ hint }) }],
      typedSearchAttributes: [{ key: STATE, value: 'running' }],
      signal,
      signalArgs: [message],
    });
  }

  /** With how far the running deployment is, as its own workflow says. */
  async view(): Promise<LaneView> {
    const view = await this.handle.query<LaneView>(MESSAGE.lane);
    const { running } = view;
    if (running === undefined) return view;
    const terraform = this.environment.client.workflow.getHandle(running.id);
    const progress = await terraform.query<Progress>(MESSAGE.progress).catch(unlessThere);
    return progress === undefined ? view : { ...view, running: { ...running, progress } };
  }

  /** Each state that it wrote for lists, in order. */
  async states(): Promise<readonly unknown[]> {
    const { events } = await this.handle.fetchHistory();
    return (events ?? []).flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upserted }) => {
      const state = upserted?.searchAttributes?.indexedFields?.[SEARCH_ATTRIBUTE.state];
      return state ? [defaultPayloadConverter.fromPayload(state)] : [];
    });
  }

  /** Presses Confirm on a deployment's plan. */
  async confirm({ id = '', progress }: Partial<Deployment> = {}): Promise<void> {
    const press = aPress({ deploymentId: id, digest: progress?.plan?.made.body.digest ?? '' });
    await this.environment.client.workflow.getHandle(id).signal(MESSAGE.planReview, press);
  }

  /** What its history and that of one of its deployments came to. */
  async costs(deploymentId: string): Promise<Costs> {
    const handles = [this.handle, this.environment.client.workflow.getHandle(deploymentId)];
    const all = (await Promise.all(handles.map((handle) => handle.fetchHistory()))).flatMap(
      ({ events }) => events ?? [],
    );
    const scheduled = all.flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
    return {
      events: all.length,
      tasks: all.filter(({ workflowTaskCompletedEventAttributes: done }) => done).length,
      activities: scheduled.map(({ activityType }) => activityType?.name ?? ''),
    };
  }

  /** How often the activity that it waits for was tried. */
  async pendingAttempt(): Promise<number> {
    const { raw } = await this.handle.describe();
    return raw.pendingActivities?.[0]?.attempt ?? 0;
  }

  /** The lane, once it is like this. */
  async until(what: string, isSo: (view: LaneView) => boolean): Promise<LaneView> {
    return await eventually(`the lane: ${what}`, async () => {
      const view = await this.view();
      return isSo(view) ? view : undefined;
    });
  }

  /** For the replay after an upgrade: what this lane did until it came into this state. */
  record(state: string): Promise<void> {
    return this.environment.record(state, this.handle.workflowId);
  }

  /** Returns when the host plans this commit. */
  async plans(sha: string): Promise<void> {
    await eventually(`the plan of ${sha}`, async () => this.world.happened.find((what) => what === `planned ${sha}`));
  }

  /** Returns when the deployment's own workflow has closed. */
  async closes(deploymentId: string): Promise<void> {
    await this.environment.client.workflow.getHandle(deploymentId).result();
  }

  /** The last deployment of this commit, once it ended and the lane knows. */
  async ended(sha: string): Promise<Deployment> {
    return await eventually(`the end of ${sha}`, async () => {
      const kept = this.world.kept.findLast(({ revision }) => revision.sha === sha);
      const { running } = await this.handle.query<LaneView>(MESSAGE.lane);
      return running?.id === kept?.id ? undefined : kept;
    });
  }
}

/** It was not started yet. */
function unlessThere(error: unknown): undefined {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}

export const closed = (lane: LaneDriver, status: string) =>
  eventually(`the lane to be ${status}`, async () =>
    (await lane.handle.describe()).status.name === status ? status : undefined,
  );

/** Reached only by what hangs. */
const DEADLINE_MS = 120_000;
const POLL_MS = 10;

export async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + DEADLINE_MS;
  while (Date.now() < deadline) {
    const found = await look();
    if (found !== undefined) return found;
    await setTimeout(POLL_MS);
  }
  throw new Error(`waited ${DEADLINE_MS} ms in vain for ${what}`);
}
