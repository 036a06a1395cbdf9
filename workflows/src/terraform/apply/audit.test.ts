import { describe, expect, test } from '@jest/globals';
import { ENDED_STATUSES, type Deployment } from '@nereid/domain/deployment';
import { auditEvent, auditStateOf } from '@nereid/domain/trail';
import { aDeployment, aProgress } from '@nereid/domain/deployment-testing';

const STARTED = '2026-11-21T08:00:00.000Z';
const ENDED = '2026-11-21T08:01:00.000Z';
const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 } as const;
const aDeploymentAt = (more: Partial<Deployment> = {}): Deployment => ({ ...aDeployment(), ...more });
const job = { id: 'j1', startedAt: STARTED };

describe('an audit event', () => {
  test('says which job did what to which root, and who asked for it', () => {
    const event = auditEvent(REPOSITORY, aDeploymentAt({ pullRequest: 7, force: true }), job, 'RUNNING');

    expect(event).toEqual({
      version: 1,
      id: 'j1:RUNNING',
      state: 'RUNNING',
      jobId: 'j1',
      jobType: 'apply',
      deploymentId: 'd1',
      repository: 'acme/infra',
      rootName: 'network',
      revision: 'c'.repeat(40),
      isForceApply: true,
      trigger: 'merge',
      rerun: false,
      initiatingUser: 'ada',
      startedAt: STARTED,
      pullRequest: 7,
      workflowId: 'd1',
    });
  });

  test('names who approved, and when', () => {
    const review = { answer: 'approved', by: 'grace', at: STARTED } as const;

    const event = auditEvent(REPOSITORY, aDeploymentAt({ progress: aProgress({ review }) }), job, 'RUNNING');

    expect(event).toMatchObject({ approvedBy: 'grace', approvedAt: STARTED });
  });

  test('names nobody who rejected as the one who approved', () => {
    const review = { answer: 'rejected', by: 'grace', at: STARTED } as const;

    expect(
      auditEvent(REPOSITORY, aDeploymentAt({ progress: aProgress({ review }) }), job, 'RUNNING'),
    ).not.toHaveProperty('approvedBy');
  });

  test('of the end has an id of its own, and says when it was', () => {
    const event = auditEvent(REPOSITORY, aDeploymentAt(), { ...job, endedAt: ENDED }, 'SUCCESS');

    expect(event).toMatchObject({ id: 'j1:SUCCESS', endedAt: ENDED });
  });
});

test('only an apply that went through is a SUCCESS, and one of which nobody knows is UNKNOWN', () => {
  const states = Object.groupBy(ENDED_STATUSES, auditStateOf);

  expect(states.SUCCESS).toEqual(['succeeded', 'no-changes']);
  expect(states.UNKNOWN).toEqual(['apply-outcome-unknown']);
});
