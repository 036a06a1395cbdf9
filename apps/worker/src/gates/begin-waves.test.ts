import { describe, expect, test } from '@jest/globals';
import type { Deployment } from '@nereid/domain/deployment';
import type { Rollout } from '@nereid/domain/rollout';
import { deploymentAt, NOW, REPOSITORY, shaAt } from '@nereid/domain/testing';
import { BrokenRecordError, type RolloutRecords } from '@nereid/storage';
import { begin, type BeginContext } from './begin.ts';
import { aBeginning } from './testing/a-beginning.ts';
import { beginContext } from './testing/begin-context.ts';

const ID = `${shaAt(0)}/delivery-1`;
const TOGETHER = { rollout: ID, waves: ID };

const ROLLOUT: Rollout = {
  ...{ version: 1, repository: REPOSITORY, id: ID, revision: shaAt(0), orderedAt: '2026-01-31T14:00:00.000Z' },
  ...{ isRerun: false, roots: [] },
  waves: [
    { name: 'canary', soakMs: 0, rootNames: ['dns'] },
    { name: 'rest', soakMs: 0, rootNames: ['network'] },
  ],
};

/** What storage says of the waves, and which deployments of the root have ended. */
function withWaves(read: RolloutRecords['read'], ended: readonly Deployment[] = []): BeginContext {
  const context = beginContext();
  const records = ended.map(
    (deployment) => ({ version: 1, repository: REPOSITORY, deployment, endedAt: NOW }) as const,
  );
  return {
    ...context,
    rolloutRecords: { ...context.rolloutRecords, read },
    deploymentRecords: { ...context.deploymentRecords, latest: async () => records },
  };
}

/** The deployment of an earlier merge, which waited for the canary of its own until another one went in its place. */
const carriedBy = (deploymentId: string): Deployment => ({
  ...{ ...deploymentAt(0), together: TOGETHER, carrier: { deploymentId, revision: shaAt(1) } },
  progress: { status: 'skipped', times: {}, jobs: {} },
});

describe('permission to apply, where merges go in waves', () => {
  test('waits for the waves of those that went with it', async () => {
    const beginning = await aBeginning({}, {}, { queue: 'newest' });
    const context = withWaves(async () => ROLLOUT, [carriedBy(beginning.deployment.id)]);

    await expect(begin(context, beginning)).rejects.toMatchObject({
      wait: { gate: 'soak', sentence: expect.stringMatching(/^waits for wave 1 of 2 \(canary\): dns/) },
    });
  });

  test('does not wait for the waves of a deployment that went with another one', async () => {
    const context = withWaves(async () => ROLLOUT, [carriedBy('another')]);

    await expect(begin(context, await aBeginning({}, {}, { queue: 'newest' }))).resolves.toHaveProperty('signature');
  });

  test.each([
    ['are broken', () => Promise.reject(new BrokenRecordError(`rollouts/${ID}`, 'not JSON'))],
    ['are not in storage', async () => undefined],
  ])('waits with a sentence where they %s', async (_what, read) => {
    const beginning = await aBeginning({}, {}, { together: TOGETHER });

    await expect(begin(withWaves(read), beginning)).rejects.toMatchObject({
      wait: { gate: 'soak', who: ['operators'], sentence: expect.stringContaining('the log of the worker says why') },
    });
  });

  test('is asked for again while storage is away', async () => {
    const context = withWaves(() => Promise.reject(new Error('AccessDenied')));

    await expect(begin(context, await aBeginning({}, {}, { together: TOGETHER }))).rejects.toThrow('AccessDenied');
  });
});
