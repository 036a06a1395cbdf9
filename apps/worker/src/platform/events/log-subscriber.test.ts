import { expect, test } from '@jest/globals';
import { trailFact, type DomainEvent } from '@nereid/domain/events';
import type { IntakeEvent } from '@nereid/domain/intake';
import { deploymentAt, NOW, REPOSITORY } from '@nereid/domain/testing';
import type { JobAuditEvent } from '@nereid/domain/trail';
import { ForgedError } from '@nereid/signature';
import { forgedEvent } from './forged-event.ts';
import { createLogSubscriber } from './log-subscriber.ts';

function logOf(event: DomainEvent): readonly object[] {
  const lines: object[] = [];
  const info = (fields: object, msg?: string) => void lines.push({ ...fields, msg });
  void createLogSubscriber({ info, warn: info, error: info })(event);
  return lines;
}

test('a deployment that waits is one line, which says for itself why its root waits', () => {
  const deployment = deploymentAt(3);
  const about = { repository: REPOSITORY, deployment, since: NOW, sentence: 'Waiting for a host: no host is running' };

  expect(logOf({ kind: 'waits', reason: 'host', id: 'e1', ...about })).toEqual([
    {
      deployment: deployment.id,
      repository: 'acme/infra',
      root: deployment.root.name,
      revision: deployment.revision.sha,
      status: 'queued',
      since: NOW,
      sentence: 'Waiting for a host: no host is running',
      msg: 'deployment state',
    },
  ]);
});

test('an event that was taken is one line with its answer; an attempt that failed is none, because the SDK logs it', () => {
  const event = { kind: 'push', repository: REPOSITORY } as IntakeEvent; // Nothing else of it is logged.
  const received = { kind: 'received', id: 'e1', delivery: 'd1', event, receivedAt: NOW } as const;

  expect(logOf({ ...received, result: { kind: 'nothing', sentence: 'no root is modified' } })).toEqual([
    {
      delivery: 'd1',
      event: 'push',
      repository: 'acme/infra',
      outcome: 'nothing',
      sentence: 'no root is modified',
      msg: 'event handled',
    },
  ]);
  expect(logOf({ ...received, result: { kind: 'failed' } })).toEqual([]);
});

test('a merge that unlocked a lane is one line with the deployment that had locked it', () => {
  const deployment = deploymentAt(3);
  const unlocked = { kind: 'unlocked', id: 'e1', repository: REPOSITORY, deployment, merge: 'c'.repeat(40) } as const;

  expect(logOf(unlocked)).toMatchObject([
    { repository: 'acme/infra', deployment: deployment.id, merge: 'c'.repeat(40) },
  ]);
});

test.each(['halted', 'resumed'] as const)('a rollout that is %s is one line, with what people read', (kind) => {
  const revision = 'c'.repeat(40);
  const about = {
    id: 'h1',
    repository: REPOSITORY,
    rollout: `${revision}/d`,
    revision,
    at: '2026-01-31T14:00:00.000Z',
  };

  expect(logOf({ kind, ...about, sentence: 'is as it is' })).toMatchObject([
    { repository: 'acme/infra', revision, sentence: 'is as it is' },
  ]);
});

test('a stuck workflow is an error with its failure, and one line again once it goes on', () => {
  const about = { id: 'e1', workflowId: 'w1', type: 'deploy' };
  const stuck = { kind: 'stuck', runId: 'r1', reason: 'its task fails', failure: 'a bug', ...about } as const;

  expect(logOf(stuck)).toMatchObject([{ workflowId: 'w1', runId: 'r1', failure: 'a bug' }]);
  expect(logOf({ kind: 'goes-on', ...about })).toMatchObject([{ workflowId: 'w1', type: 'deploy' }]);
});

test('a forgery is an error that names what was forged, and about what', () => {
  const error = new ForgedError('decision/review', 'no signature');

  expect(logOf(forgedEvent(error, 'd1'))).toMatchObject([{ err: error, kind: 'decision/review', about: 'd1' }]);
});

test('the answers to people are in the audit trail alone', () => {
  expect(logOf(trailFact({ id: 'j1:RUNNING', jobId: 'j1', state: 'RUNNING' } as JobAuditEvent))).toEqual([]);
});
