import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readServerConfig } from '@nereid/config';
import type { Deployment } from '@nereid/domain/deployment';
import type { DomainEvent } from '@nereid/domain/events';
import { SEARCH_ATTRIBUTE, WORKFLOW } from '@nereid/domain/temporal-names';
import { aDeployment, aPlan, aPress } from '@nereid/domain/testing';
import { fullName } from '@nereid/domain/root';
import type { WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { openIntakeStage, type IntakeStage } from '../../intake/testing/intake-stage.ts';
import type { StagedRepository } from '../../intake/testing/staged-repository.ts';
import type { WorkerContext } from '../../platform/context.ts';
import { createRemindReviewers } from './remind-reviewers.ts';

const HOUR_MS = 3_600_000;

const [STATE, REPOSITORY, ROOT] = [SEARCH_ATTRIBUTE.state, SEARCH_ATTRIBUTE.repository, SEARCH_ATTRIBUTE.root].map(
  (name) => defineSearchAttributeKey(name, 'KEYWORD'),
);

let stage: IntakeStage;
let infra: StagedRepository;
let waiting: Deployment;
let workflow: WorkflowHandle;
let said: DomainEvent[];

beforeAll(async () => {
  stage = await openIntakeStage();
});

afterAll(() => stage.close());

beforeEach(async () => {
  said = [];
  infra = await stage.repository({ 'README.md': '' });
  const usual = aDeployment({ status: 'awaiting-review', plan: aPlan() });
  waiting = {
    ...usual,
    id: randomUUID(),
    requestId: randomUUID(),
    revision: { ...usual.revision, sha: await infra.head() },
  };
  await infra.review(waiting);
  workflow = await startListed();
});

afterEach(() => workflow.terminate());

describe('a plan that waits for its review', () => {
  test('is nobody to be reminded of before the time that the file names', async () => {
    await look(4 * HOUR_MS - 1_000);

    expect(said).toEqual([]);
  });

  test('is said to wait once, although another worker looks after it by then', async () => {
    await look(4 * HOUR_MS);
    await look(5 * HOUR_MS);

    expect(said).toEqual([
      expect.objectContaining({
        kind: 'reminder',
        deployment: expect.objectContaining({ id: waiting.id }),
        sentence: expect.stringContaining('Waiting'),
      }),
    ]);
    expect(said[0]).not.toHaveProperty('team');
  });

  test('goes to the team that is named for it, once', async () => {
    await look(24 * HOUR_MS);
    await look(48 * HOUR_MS);

    const escalations = said.flatMap((event) => (event.kind === 'reminder' && event.team ? [event] : []));
    expect(escalations).toEqual([
      expect.objectContaining({ team: 'acme/leads', sentence: expect.stringMatching(/^For acme\/leads: /) }),
    ]);
    expect(said).toHaveLength(2);
  });

  test('is said to wait with the same id by a worker that could not store that it said so', async () => {
    const reminderRecords = { ...stage.context.reminderRecords, write: () => Promise.reject(new Error('away')) };
    await look(4 * HOUR_MS, { reminderRecords });
    await look(5 * HOUR_MS);

    expect(said).toHaveLength(2);
    expect(said[1]?.id).toBe(said[0]?.id);
  });

  test('is nobody to be reminded of once somebody has confirmed it', async () => {
    const press = aPress({ deploymentId: waiting.id });
    const { by, at } = press.body;
    infra.reports(waiting.id, { ...waiting.progress, review: { answer: 'approved', by, at, press } });

    await look(48 * HOUR_MS);

    expect(said).toEqual([]);
  });

  test('is nobody to be reminded of where the file says nothing of that', async () => {
    const { repositories } = stage.context.server.current();
    await look(48 * HOUR_MS, { server: serverWith(repositories) });

    expect(said).toEqual([]);
  });

  test('names nobody who has not signed an answer to it', async () => {
    infra.reports(waiting.id, {
      ...waiting.progress,
      approvals: [aPress({ deploymentId: waiting.id, by: 'officer' })],
    });

    await look(48 * HOUR_MS);

    expect(JSON.stringify(said)).not.toContain('officer');
  });
});

/** A worker that has just started looks at the reviews, so long after the wait began. */
async function look(afterMs: number, more: Partial<WorkerContext> = {}): Promise<void> {
  const publish: WorkerContext['publish'] = (...events) => {
    said.push(...events);
    return Promise.resolve();
  };
  const since = waiting.progress.times['awaiting-review'] ?? '';
  const context = { ...stage.context, server: remindingServer(), publish, ...more };
  await createRemindReviewers(context)(new AbortController().signal, Date.parse(since) + afterMs);
}

function remindingServer(): WorkerContext['server'] {
  const read = readServerConfig(`
repositories:
  - { match: acme/*, review: { remind: [4h, 1d], escalate: { after: 1d, to: acme/leads } } }
storage: { deployments: "file:/data", plans: "file:/data", logs: "file:/data" }
`);
  if (read.kind !== 'ok') throw new Error('expected a sound file');
  return serverWith(read.config.repositories);
}

function serverWith(
  repositories: ReturnType<WorkerContext['server']['current']>['repositories'],
): WorkerContext['server'] {
  return { ...stage.context.server, current: () => ({ ...stage.context.server.current(), repositories }) };
}

/** Returns once Temporal lists the deployment, which is a moment after its start. */
async function startListed(): Promise<WorkflowHandle> {
  const values = [
    [STATE, 'awaiting-review'],
    [REPOSITORY, fullName(infra.repository)],
    [ROOT, waiting.root.name],
  ] as const;
  const typedSearchAttributes = new TypedSearchAttributes(
    values.flatMap(([key, value]) => (key === undefined ? [] : [{ key, value }])),
  );
  const { workflow: client } = stage.context.temporal;
  const started = await client.start(WORKFLOW.terraform, {
    ...{ workflowId: waiting.id, taskQueue: 'nobody', typedSearchAttributes },
  });
  const query = `WorkflowId = '${waiting.id}' AND ${SEARCH_ATTRIBUTE.state} = 'awaiting-review'`;
  const deadline = Date.now() + 60_000;
  while ((await client.count(query)).count === 0)
    if (Date.now() > deadline) throw new Error('expected that Temporal lists the deployment');
  return started;
}
