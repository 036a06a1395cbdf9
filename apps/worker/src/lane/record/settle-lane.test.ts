import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DeploymentRecord } from '@nereid/domain/deployment';
import { NO_LEASES, type Leases } from '@nereid/domain/gates';
import { auditEvent } from '@nereid/domain/trail';
import { aRecord, deploymentAt, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { beginContext } from '../../gates/testing/begin-context.ts';
import { testSignatures } from '../../testing/test-signatures.ts';
import { finishDeployment } from './finish-deployment.ts';
import { settleLane } from './settle-lane.ts';
import { publishTo } from '../../testing/publish-to.ts';

const JOB = { id: 'a-job', startedAt: '2026-01-31T14:00:00.000Z' };
const ENDED: DeploymentRecord = {
  version: 1,
  repository: REPOSITORY,
  deployment: { ...deploymentAt(3), progress: { ...progressAs('succeeded'), jobs: { apply: JOB } } },
  endedAt: '2026-01-31T14:00:00.000Z',
};
const AUDIT = auditEvent(REPOSITORY, deploymentAt(3), JOB, 'SUCCESS');
const AWAY = new Error('it is away');

let done: string[];
let away: string | undefined;

beforeEach(() => {
  done = [];
  away = undefined;
});

/** Notes what is done, in its order. */
function step<T>(what: string, answer: T): () => Promise<T> {
  return async () => {
    if (away === what) throw AWAY;
    done.push(what);
    return answer;
  };
}

type Context = Parameters<typeof settleLane>[0] & Parameters<typeof finishDeployment>[0];

/** As much of storage as is asked. */
function aContext({ auditRequired = true } = {}): Context {
  return {
    laneRecords: { write: step('the record of the lane', 'v1') },
    deploymentRecords: { write: step('the record of the deployment', ENDED) },
    rootPlaces: { add: () => Promise.resolve() },
    keptPlans: { of: () => ({ remove: step('the plan is removed', undefined) }) },
    signatures: testSignatures,
    server: { current: () => ({ budgets: [] }) },
    begunApplies: { of: () => ({ read: () => Promise.resolve(undefined) }) },
    publish: publishTo(step('the audit trail', undefined), auditRequired),
  } as unknown as Context;
}

describe('what changed in a lane', () => {
  const settle = (context = aContext()) =>
    settleLane(context, { record: aRecord(), ifVersion: null, ended: [ENDED], audits: [AUDIT] });

  test('is stored with the lane last: until then, another run of it would settle the same again', async () => {
    expect(await settle()).toEqual({ kind: 'stored', version: 'v1' });

    expect(done).toEqual(['the record of the deployment', 'the audit trail', 'the record of the lane']);
  });

  test('waits for an audit trail that is required', async () => {
    away = 'the audit trail';

    await expect(settle()).rejects.toBe(AWAY);
    expect(done).not.toContain('the record of the lane');
  });

  test('does not wait for one that is not required', async () => {
    away = 'the audit trail';

    expect(await settle(aContext({ auditRequired: false }))).toMatchObject({ kind: 'stored' });
  });
});

test('an end whose events went with an earlier run of its lane has them told', async () => {
  const published: unknown[] = [];
  const context = { ...aContext(), publish: (...facts: unknown[]) => Promise.resolve(void published.push(...facts)) };

  await settleLane(context, { record: aRecord(), ifVersion: null, ended: [ENDED], audits: [] });

  expect(JSON.stringify(published)).toContain('a-job:SUCCESS');
});

describe('a deployment that ended in its lane', () => {
  test('gives back its lease and its place, and the next one is told', async () => {
    const of = (deploymentId: string, rootName: string) => {
      const { owner, name } = REPOSITORY;
      return { deploymentId, repository: { owner, name }, rootName, pool: 'default' };
    };
    const waiting = ['4', 'next'].map((id) => ({ ...of(id, id), since: '2026-01-31T14:00:00.000Z' }));
    const lease = { ...of('3', 'network'), until: '2999-01-31T14:00:00.000Z' };
    const leases = new Map<string, Leases>([['plan rate', { ...NO_LEASES, leases: [lease], waiting }]]);
    const rung: string[] = [];
    const budgets = '[{ name: rate, plans: 1 }]';
    const known = beginContext({ budgets, leases, onRing: (id) => void rung.push(id) });
    const { budgetLeases, server, temporal } = known;
    const cancelled = ['3', '4'].map((id, index) => ({
      ...ENDED,
      deployment: { ...deploymentAt(index + 3), id, progress: progressAs('cancelled') },
    }));

    await settleLane(
      { ...aContext(), budgetLeases, server, temporal },
      { record: aRecord(), ifVersion: null, ended: cancelled, audits: [] },
    );

    expect(leases.get('plan rate')).toMatchObject({ leases: [], waiting: [{ deploymentId: 'next' }] });
    expect(rung).toEqual(['acme/infra||next']);
  });
});

describe('what is left of a deployment that ended', () => {
  const finish = (deletesPlan = true) => finishDeployment(aContext(), { record: ENDED, audits: [AUDIT], deletesPlan });

  test('has its end in the audit trail before its record says that it is over', async () => {
    await finish();

    expect(done).toEqual(['the plan is removed', 'the audit trail', 'the record of the deployment']);
  });

  test('leaves a plan that somebody else deletes', async () => {
    await finish(false);

    expect(done).not.toContain('the plan is removed');
  });
});
