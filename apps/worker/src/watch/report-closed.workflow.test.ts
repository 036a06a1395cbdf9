import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { Deployment } from '@nereid/domain/deployment';
import { jobIdOf } from '@nereid/domain/host';
import { SEARCH_ATTRIBUTE, WORKFLOW } from '@nereid/domain/temporal-names';
import { auditEvent } from '@nereid/domain/trail';
import { aDeployment, anUnlock } from '@nereid/domain/testing';
import type { WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { intakeStageOfThisFile } from '../intake/testing/intake-stage.ts';
import { BACKEND, type StagedRepository } from '../intake/testing/staged-repository.ts';
import { stagedPullRequests } from '../pull-request/testing/staged-pull-requests.ts';
import { asOrdered } from '../testing/test-signatures.ts';
import { DrivenDeployment } from '../platform/temporal/testing/driven-deployment.ts';
import { reportClosed } from './report-closed.ts';

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');
const ROOT = defineSearchAttributeKey(SEARCH_ATTRIBUTE.root, 'KEYWORD');

const TIMES = { startedAt: '2026-01-31T14:00:00.000Z', endedAt: '2026-01-31T14:01:00.000Z' };

// One of its workflows does what the test says.
const stage = intakeStageOfThisFile({ isReplayed: false });
let infra: StagedRepository;

beforeAll(async () => {
  infra = await stage.repository({ 'README.md': '' });
});

test('a lane hears of the deployment that it follows and that was ended by force', async () => {
  const running = await aRunningDeployment();
  const terraform = await startFor(running.id, 'network');
  const lane = infra.lane('network');
  await lane.start({ running });
  await follows(stage.context.temporal.workflow.getHandle(lane.id));
  await terraform.terminate('an operator');

  expect(await told()).toEqual([`told its lane that ${running.id} ended as cancelled`]);

  await eventually(async () => (await lane.view())?.running === undefined);
  expect((await lane.view())?.ended).toMatchObject([{ id: running.id, progress: { status: 'cancelled' } }]);
});

test('a deployment that its lane does not have as running any more is nobody’s business', async () => {
  const terraform = await startFor(randomUUID(), 'database');
  await infra.lane('database').record({});
  await terraform.terminate();

  const { signal } = new AbortController();
  const { found } = await reportClosed(stage.context, undefined, signal);
  expect(found.join()).not.toContain(terraform.workflowId);
});

test('an end that was told, but not stored, is stored and shown', async () => {
  const driven = await anEndThatWasTold({});

  expect(await told()).toEqual([`stored that ${driven.id} ended as succeeded`]);

  const { root } = driven.deployment;
  expect(await stage.context.deploymentRecords.find(infra.repository, root.name, driven.id)).toMatchObject({
    deployment: { progress: { status: 'succeeded' }, checkRuns: [{ completed: true }] },
  });
  expect(infra.checkRuns().find(({ externalId }) => externalId === driven.id)).toMatchObject({ conclusion: 'success' });
});

test('such an end names nobody who did not ask: anybody may have told it', async () => {
  const driven = await anEndThatWasTold({ unlocked: anUnlock({ by: 'officer', askedAt: TIMES.endedAt }) });

  expect(await told()).toEqual([`stored that ${driven.id} ended as succeeded`]);

  const { root } = driven.deployment;
  const record = await stage.context.deploymentRecords.find(infra.repository, root.name, driven.id);
  const shown = infra.checkRuns().find(({ externalId }) => externalId === driven.id);
  expect(JSON.stringify([record, shown])).not.toContain('officer');
});

/** Its workflow was ended by force in the middle of that. */
async function anEndThatWasTold(more: Partial<Deployment>): Promise<DrivenDeployment> {
  const { temporal } = stage.context;
  const server = { client: temporal, namespace: temporal.options.namespace };
  const about = { revision: { ...aDeployment({ status: 'applying' }).revision, sha: await infra.head() } };
  const driven = await DrivenDeployment.start(server, infra.repository, about);
  const job = { id: jobIdOf(driven.id, 'apply', 1), ...TIMES };
  const deployment = await asOrdered(infra.repository, {
    ...driven.deployment,
    ...more,
    progress: { times: {}, jobs: { apply: job }, status: 'succeeded' },
  });
  const record = { version: 1, repository: infra.repository, deployment, endedAt: TIMES.endedAt } as const;
  const audits = [auditEvent(infra.repository, deployment, job, 'SUCCESS')];
  await driven.tellsItsEnd({ record, audits, deletesPlan: true, show: {} });
  await infra.lane(driven.deployment.root.name).record({});
  await driven.handle.terminate('an operator');
  return driven;
}

test('a preview whose workflow was ended by force does not plan for ever: not on its check run, nor on the pull request’s', async () => {
  const planned = await stage.repository({ 'network/main.tf': BACKEND }, 'acme', true, 'planned');
  const pulls = stagedPullRequests(stage, planned);
  const opened = await planned.pullRequest({ 'network/a.tf': '' });
  await pulls.changed(opened.number, 'opened');
  await pulls.shows(opened.headSha, 'Planning 1 root');
  const [preview] = await pulls.previews(opened.number);
  const id = preview?.deployment.id ?? '';

  await stage.context.temporal.workflow.getHandle(id).terminate('an operator');

  expect(await told()).toEqual([`ended the preview ${id}, whose workflow was ended by force`]);
  expect(await pulls.shows(opened.headSha, '1 of 1 root could not be planned')).toMatchObject({
    conclusion: 'failure',
  });
  const own = planned.checkRuns().filter(({ externalId }) => externalId === id);
  expect(own).toMatchObject([{ name: 'nereid/plan: network', conclusion: 'failure' }]);
  const again = await reportClosed(stage.context, undefined, new AbortController().signal);
  expect(again.found.join()).not.toContain(id);
});

async function aRunningDeployment(): Promise<Deployment> {
  const deployment = aDeployment({ status: 'preparing' });
  return { ...deployment, id: randomUUID(), revision: { ...deployment.revision, sha: await infra.head() } };
}

/** Nobody works for it. */
function startFor(workflowId: string, rootName: string): Promise<WorkflowHandle> {
  return stage.context.temporal.workflow.start(WORKFLOW.terraform, {
    workflowId,
    taskQueue: 'nobody',
    typedSearchAttributes: [
      { key: REPOSITORY, value: infra.fullName },
      { key: ROOT, value: rootName },
    ],
  });
}

/** Returns once the lane has asked what became of its deployment, which still ran. */
async function follows(lane: WorkflowHandle): Promise<void> {
  await eventually(async () => {
    const { events } = await lane.fetchHistory();
    const asked = (events ?? []).find(
      ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === 'findTerraform',
    );
    return (events ?? []).some(({ activityTaskCompletedEventAttributes: completed }) =>
      asked?.eventId?.eq(completed?.scheduledEventId ?? -1),
    );
  });
}

/** Temporal lists what closed a moment later; nothing writes for it any more. */
async function told(): Promise<readonly string[]> {
  let found: readonly string[] = [];
  await eventually(async () => {
    ({ found } = await reportClosed(stage.context, undefined, new AbortController().signal, Date.now() + 60_000));
    return found.length > 0;
  });
  return found;
}

async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
