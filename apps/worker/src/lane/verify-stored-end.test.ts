import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Deployment, Progress } from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { deploymentAt, REPOSITORY, aPlan } from '@nereid/domain/testing';
import {
  createBegunApplies,
  createDeploymentRecords,
  createRolloutRecords,
  createRootPlaces,
  RECORD_REMOVED,
  type BegunAppliesOfPools,
  type DeploymentRecords,
  type RolloutRecords,
  type RootPlaces,
} from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { asOrdered, notingSignatures, testSignatures } from '../testing/test-signatures.ts';
import { recordDeployment } from './record/record-deployment.ts';
import { verifyDeployment } from './verify-orders.ts';
import type { Publish } from '../platform/events/publish.ts';
import { publishToNobody } from '../testing/publish-to.ts';

const COUNTS = { added: 1, changed: 0, destroyed: 0, imported: 0 };
const FAILURE = { body: { summary: 'no such bucket', lines: [] } };
const AT = '2026-01-31T14:00:00.000Z';
const REJECTED = { answer: 'rejected', by: 'grace', at: AT } as const;

const store = storeOfEachTest();
let context: {
  readonly signatures: typeof testSignatures;
  readonly begunApplies: BegunAppliesOfPools;
  readonly deploymentRecords: DeploymentRecords;
  readonly rolloutRecords: RolloutRecords;
  readonly rootPlaces: RootPlaces;
  readonly publish: Publish;
};

beforeEach(() => {
  context = {
    signatures: testSignatures,
    begunApplies: createBegunApplies(store),
    deploymentRecords: createDeploymentRecords(store),
    rolloutRecords: createRolloutRecords(store),
    rootPlaces: createRootPlaces(store),
    publish: publishToNobody,
  };
});

/** As a workflow says it, with the signatures that its status takes. */
function said(status: Progress['status'], more: Partial<Progress> = {}): Promise<Deployment> {
  const plan = aPlan({ hasChanges: status !== 'no-changes' });
  const progress = { status, times: {}, jobs: {}, plan, applied: COUNTS, failure: FAILURE, ...more };
  return asOrdered(REPOSITORY, { ...deploymentAt(1), progress });
}

const verify = async (deployment: Promise<Deployment>) =>
  verifyDeployment(context, { repository: REPOSITORY, deployment: await deployment });

const record = async (deployment: Promise<Deployment>, endedAt = AT) =>
  recordDeployment(context, { version: 1, repository: REPOSITORY, deployment: await deployment, endedAt });

const stored = async () => (await context.deploymentRecords.find(REPOSITORY, 'network', '1'))?.deployment.progress;

const begin = () => context.begunApplies.of(DEFAULT_POOL).begin('1', { hostId: 'h1', jobId: 'job' });

describe('once its apply began, a deployment is said', () => {
  beforeEach(begin);

  test.each(['queued', 'preparing', 'awaiting-review', 'cancelled', 'expired', 'skipped', 'host-lost'] as const)(
    'neither to wait nor to have ended without an apply: %s',
    async (status) => {
      await expect(verify(said(status))).rejects.toMatchObject({ kind: 'result/outcome' });
    },
  );

  test('not to be rejected, although a person has said so', async () => {
    await expect(verify(said('rejected', { review: REJECTED }))).rejects.toMatchObject({ kind: 'result/outcome' });
  });

  test.each(['applying', 'succeeded', 'apply-failed', 'apply-outcome-unknown'] as const)(
    'a deployment whose apply began is said to be at work, or what came of it: %s',
    async (status) => {
      await expect(verify(said(status))).resolves.toBeUndefined();
    },
  );
});

describe('what was said while a deployment went on is too early, and nothing counts as forged', () => {
  let forged: string[];

  /** As somebody said it at that time, in milliseconds from now on. */
  const verifyLater = async (deployment: Promise<Deployment>, saidMs: number) => {
    forged = [];
    const about = { repository: REPOSITORY, deployment: await deployment };
    await verifyDeployment({ ...context, signatures: notingSignatures(forged) }, about, Date.now() + saidMs);
  };

  test('that it waits for a person, when its apply began', async () => {
    await begin();

    await expect(verifyLater(said('awaiting-review'), 0)).rejects.toMatchObject({ code: 'SAID_TOO_EARLY' });
    expect(forged).toEqual([]);
    await expect(verifyLater(said('awaiting-review'), 10_000)).rejects.toMatchObject({ code: 'FORGED' });
    expect(forged).toEqual(['result/outcome']);
  });

  test('that it is applied, when its end was stored', async () => {
    await begin();
    await record(said('succeeded'), new Date().toISOString());

    await expect(verifyLater(said('applying'), 0)).rejects.toMatchObject({ code: 'SAID_TOO_EARLY' });
    expect(forged).toEqual([]);
    await expect(verifyLater(said('applying'), 10_000)).rejects.toMatchObject({ code: 'FORGED' });
  });
});

test('a deployment whose leave ended with the turn of another one may be said to have ended without an apply', async () => {
  await context.begunApplies.of(DEFAULT_POOL).overtake('1', '2');

  await expect(verify(said('cancelled'))).resolves.toBeUndefined();
});

test.each(['queued', 'applying', 'cancelled', 'rejected', 'succeeded', 'apply-outcome-unknown'] as const)(
  'a deployment whose record was removed is said to be nothing, because no record could object: %s',
  async (status) => {
    await context.begunApplies.of(DEFAULT_POOL).overtake('1', RECORD_REMOVED);

    await expect(verify(said(status, { review: REJECTED }))).rejects.toMatchObject({ kind: 'result/outcome' });
  },
);

describe('once its order has ended, when nothing may be left that could object, a deployment is said', () => {
  const ended = async (status: Progress['status']) =>
    asOrdered(REPOSITORY, { ...(await said(status)), expiresAt: new Date(Date.now() - 1).toISOString() });

  test.each(['queued', 'applying', 'cancelled', 'succeeded', 'apply-outcome-unknown'] as const)(
    'a deployment whose order has ended, and that is not stored, is said to be nothing: %s',
    async (status) => {
      await expect(verify(ended(status))).rejects.toMatchObject({ kind: 'result/outcome' });
    },
  );

  test('to wait no more, if its end is stored', async () => {
    await record(said('cancelled'));

    await expect(verify(ended('queued'))).rejects.toMatchObject({ kind: 'result/outcome' });
  });

  test('to have ended as it is stored', async () => {
    await record(said('cancelled'));

    await expect(verify(ended('cancelled'))).resolves.toBeUndefined();
  });

  test('to be at work, while its marker says so', async () => {
    await begin();

    await expect(verify(ended('applying'))).resolves.toBeUndefined();
  });
});

describe('once its end is stored, a deployment is said', () => {
  test.each(['applying', 'apply-outcome-unknown', 'apply-failed'] as const)(
    'a deployment is said to have ended as it is stored: %s',
    async (status) => {
      await begin();
      await record(said('succeeded'));

      await expect(verify(said('succeeded'))).resolves.toBeUndefined();
      await expect(verify(said(status))).rejects.toMatchObject({ kind: 'result/outcome' });
    },
  );

  test.each(['apply-outcome-unknown', 'cancelled'] as const)(
    'a deployment is said to have ended without an apply, as it is stored: %s',
    async (status) => {
      await record(said('rejected', { review: REJECTED }));

      await expect(verify(said(status))).rejects.toMatchObject({ kind: 'result/outcome' });
    },
  );

  test('to have ended as a host signed it, if what is stored was signed by nobody', async () => {
    await begin();
    await record(said('apply-outcome-unknown'));

    await expect(verify(said('succeeded'))).resolves.toBeUndefined();
  });
});

describe('the stored end of a deployment', () => {
  test('stays, whatever end and time are said later', async () => {
    await record(said('succeeded'));

    await record(said('cancelled'), '2026-01-31T15:00:00.000Z');
    await record(said('apply-outcome-unknown'), '2026-02-28T15:00:00.000Z');

    expect(await stored()).toMatchObject({ status: 'succeeded' });
  });

  test('gives way to the one that a host signed, if nobody signed it', async () => {
    await record(said('apply-outcome-unknown'));

    await record(said('succeeded'), '2026-01-30T14:00:00.000Z');

    expect(await stored()).toMatchObject({ status: 'succeeded' });
    expect(await context.deploymentRecords.latest(REPOSITORY, 'network', 10)).toHaveLength(1);
  });

  test('is never in the future, where nobody would find another one', async () => {
    await record(said('cancelled'), '2199-01-01T00:00:00.000Z');

    const [only] = await context.deploymentRecords.latest(REPOSITORY, 'network', 10);
    expect(Date.parse(only?.endedAt ?? '')).toBeLessThanOrEqual(Date.now());
  });
});
