import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { StuckReport } from '@nereid/domain/activities';
import type { Deployment, TerraformInput } from '@nereid/domain/deployment';
import type { DomainEvent } from '@nereid/domain/events';
import { CONTROL_QUEUE, MESSAGE, WORKFLOW } from '@nereid/domain/temporal-names';
import { aDeployment } from '@nereid/domain/testing';
import { bundleWorkflows } from '@nereid/test-kit/bundle-workflows';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import type { WorkflowHandle } from '@temporalio/client';
import type { WorkerContext } from '../../platform/context.ts';
import { intakeStageOfThisFile } from '../../intake/testing/intake-stage.ts';
import type { StagedRepository } from '../../intake/testing/staged-repository.ts';
import { createLaneActivities } from '../../lane-activities.ts';
import { signalLane } from '../../lane/signal-lane.ts';
import { suspectsAmong } from './find-stuck.ts';
import { listOpen } from '../open-workflows.ts';
import { reportStuck } from './report-stuck.ts';

const OTHER_RELEASE = fileURLToPath(new URL('testing/other-release.ts', import.meta.url));

/** Where their first tasks end in their histories: the lane was started by a message, which has an event of its own. */
const FIRST_TASKS_END = [5, 4] as const;

const CONFIRM = { label: 'Confirm', description: 'Apply exactly this plan', identifier: 'confirm.0123456789ab' };

const environment = environmentOfThisFile({ isReplayed: false });
const stage = intakeStageOfThisFile();
let context: WorkerContext;
let infra: StagedRepository;
let lane: WorkflowHandle;
let review: WorkflowHandle;
let waiting: Deployment;
let report: StuckReport;
let runIds: readonly string[];
let published: DomainEvent[] = [];

beforeAll(async () => {
  const publish: WorkerContext['publish'] = (...events) => {
    published.push(...events);
    return stage.context.publish(...events);
  };
  context = { ...stage.context, temporal: environment.client, publish };
  infra = await stage.repository({ 'README.md': '' });
  waiting = await aWaitingDeployment();
  await infra.lane('network').record({ merged: [waiting] });
  await asOtherRelease(async () => {
    lane = await startLane();
    review = await startReview();
    await Promise.all([lane, review].map(begun));
  });
  runIds = await Promise.all([lane, review].map(runIdOf));
  await asThisRelease(async () => {
    await lane.signal(MESSAGE.resume, { version: 1 });
    await review.signal(MESSAGE.cancelling, {});
    await Promise.all([lane, review].map(stuck));
  });
  report = await reportAfter([]);
});

describe('a workflow whose task fails again and again', () => {
  test('is reported, with how it fails', () => {
    const reason = 'its code does not match its history';
    expect(report.count).toBe(2);
    expect(report.workflows).toEqual(
      expect.arrayContaining([
        {
          workflowId: lane.workflowId,
          runId: runIds[0],
          type: 'deploy',
          reason,
          isShown: true,
          stuckAfter: FIRST_TASKS_END[0],
        },
        {
          workflowId: review.workflowId,
          runId: runIds[1],
          type: 'terraform',
          reason,
          isShown: true,
          stuckAfter: FIRST_TASKS_END[1],
        },
      ]),
    );
  });

  test('is neither ended nor reset: an open review survives a bad release', async () => {
    expect(await Promise.all([lane, review].map(runIdOf))).toEqual(runIds);
    expect((await review.describe()).status.name).toBe('RUNNING');
    expect((await lane.describe()).status.name).toBe('RUNNING');
  });

  test('is counted in a metric', async () => {
    const metrics = await context.metrics.registry.metrics();

    expect(metrics).toContain('nereid_workflows_stuck{type="deploy"} 1');
    expect(metrics).toContain('nereid_workflows_stuck{type="terraform"} 1');
  });

  test('has the check runs of what waits for it say so', () => {
    expect(summaryOf(waiting.id)).toContain('This root is stuck: its workflow fails (its code does not match');
    expect(summaryOf(review.workflowId)).toContain('This deployment is stuck');
    expect(actionsOf(review.workflowId)).toEqual([]);
  });

  test('says it once, not with each look', async () => {
    const before = infra.checkRuns();
    const { status: _asked, ...others } = context.forge;
    const silent = { ...context, forge: others as WorkerContext['forge'] };

    const again = await reportStuck(silent, report.workflows, new AbortController().signal);

    expect(again).toEqual(report);
    expect(infra.checkRuns()).toEqual(before);
  });

  test('has alerts opened under its own name', () => {
    expect(publishedIds('stuck')).toEqual(idsThatEndIn('stuck'));
  });

  test('that goes on again is asked to write its check runs again, and its alert ends', async () => {
    published = [];
    const ended = await asOtherRelease(async () => {
      await Promise.all([lane, review].map(atRest));
      return reportAfter(report.workflows);
    });

    expect(ended).toEqual({ count: 0, workflows: [] });
    expect(await signalsTo(review)).toContain(MESSAGE.notice);
    expect(await signalsTo(lane)).toEqual([MESSAGE.resume, MESSAGE.resume, MESSAGE.notice]);
    expect(publishedIds('goes-on')).toEqual(idsThatEndIn('goes-on'));
  });

  test('whose check runs nobody could write, and that has ended, ends its alert', async () => {
    const [one] = report.workflows;
    if (one === undefined) throw new Error('expected a stuck workflow');
    published = [];

    const ended = await reportAfter([{ ...one, workflowId: randomUUID(), isShown: false }]);

    expect(ended).toEqual({ count: 0, workflows: [] });
    expect(published).toMatchObject([{ kind: 'goes-on', hasEnded: true }]);
  });
});

/** Workflows are looked at in any order. */
function publishedIds(kind: DomainEvent['kind']): readonly string[] {
  return published
    .filter((event) => event.kind === kind)
    .map(({ id }) => id)
    .toSorted();
}

function idsThatEndIn(kind: DomainEvent['kind']): readonly string[] {
  return runIds.map((runId, index) => `${runId}:${FIRST_TASKS_END[index]}:${kind}`).toSorted();
}

function reportAfter(before: StuckReport['workflows']): Promise<StuckReport> {
  return reportStuck(context, before, new AbortController().signal);
}

async function aWaitingDeployment(): Promise<Deployment> {
  const deployment = aDeployment({ status: 'queued' });
  return { ...deployment, id: randomUUID(), revision: { ...deployment.revision, sha: await infra.head() } };
}

async function startLane(): Promise<WorkflowHandle> {
  const body = { name: MESSAGE.resume, body: { version: 1 } } as const;
  return environment.client.workflow.getHandle(await signalLane(context, infra.repository, 'network', body));
}

/** A deployment that waits for a person, with its check run. */
async function startReview(): Promise<WorkflowHandle> {
  const deployment = await aWaitingDeployment();
  const input: TerraformInput = {
    repository: infra.repository,
    deployment,
    reported: {},
    reviewRequired: false,
  };
  const { sha } = deployment.revision;
  await infra.ownCheckRun('network', sha, {
    externalId: deployment.id,
    conclusion: 'action_required',
    actions: [CONFIRM],
  });
  return environment.client.workflow.start(WORKFLOW.terraform, {
    workflowId: deployment.id,
    taskQueue: CONTROL_QUEUE,
    args: [input],
  });
}

async function signalsTo(handle: WorkflowHandle) {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => signal?.signalName ?? []);
}

const checkRunOf = (id: string) => infra.checkRuns().find(({ externalId }) => externalId === id);
const summaryOf = (id: string) => checkRunOf(id)?.output.summary;
const actionsOf = (id: string) => checkRunOf(id)?.actions;
const runIdOf = async (handle: WorkflowHandle) => (await handle.describe()).runId;

async function asOtherRelease<T>(act: () => Promise<T>): Promise<T> {
  const workflowBundle = { code: await bundleWorkflows(OTHER_RELEASE) };
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, workflowBundle });
  return worker.runUntil(act);
}

async function asThisRelease<T>(act: () => Promise<T>): Promise<T> {
  const activities = { ...createLaneActivities(context) };
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities });
  return worker.runUntil(act);
}

/** Returns once its first task is done. */
async function begun(handle: WorkflowHandle): Promise<void> {
  await eventually('its first task', async () => {
    const { events } = await handle.fetchHistory();
    return events?.some(({ timerStartedEventAttributes: started }) => started) === true;
  });
}

/** Returns once Temporal tries the same task a third time, and lists it among those to look at. */
const stuck = (handle: WorkflowHandle) =>
  eventually('a task that is tried again', async () => {
    if ((await attempt(handle)) < 3) return false;
    const suspects = await suspectsAmong(context, await listOpen(context), []);
    return suspects.some(({ workflowId }) => workflowId === handle.workflowId);
  });

const atRest = (handle: WorkflowHandle) => eventually('its rest', async () => (await attempt(handle)) === 0);

async function attempt(handle: WorkflowHandle): Promise<number> {
  return (await handle.describe()).raw.pendingWorkflowTask?.attempt ?? 0;
}

async function eventually(what: string, ask: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 150_000;
  while (!(await ask())) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
