import { describe, expect, test } from '@jest/globals';
import { deploymentAt } from '@nereid/domain/testing';
import { acquire, applied, halts, one, two, APPLIED, FAILED } from './testing.ts';

describe('a plan of another state than the one that was left takes a person', () => {
  const made = (stateVersion: string, hasChanges = true) => ({ plan: { hasChanges, stateVersion } });
  const refused = { code: 'OTHER_STATE', message: expect.stringContaining('move its state and press Re-run') };

  test.each([
    ['one that is empty after an apply made one', '0 ', '0 '],
    ['one that is empty', '7 aaaa', '0 '],
    ['one of another lineage', '7 aaaa', '9 bbbb'],
  ])('%s', async (_what, before, stateVersion) => {
    await applied(one, APPLIED, made(before));

    await expect(acquire(two, made(stateVersion))).rejects.toMatchObject(refused);
    await acquire(two, { ...made(stateVersion), isReviewed: true });
  });

  test('not one that is newer, or that nobody knows', async () => {
    await applied(one, APPLIED, made('7 aaaa'));
    await applied(two, APPLIED, made('8 aaaa'));
    await acquire(deploymentAt(4, halts));
  });

  test('not one that is empty still, since there was nothing to make', async () => {
    await applied(one, APPLIED, made('0 ', false));

    await acquire(two, made('0 '));
  });

  test('whatever came between: failed applies, plans of other jobs, and deployments that never began', async () => {
    await applied(one, APPLIED, made('7 aaaa'));
    await applied(deploymentAt(2), FAILED, { ...made('0 '), isReviewed: true });
    const later = deploymentAt(4);

    await expect(acquire(later, made('0 '))).rejects.toMatchObject(refused);
    await acquire(later, made('8 aaaa'));
    await expect(acquire(later, { ...made('0 '), jobId: 'j2' })).rejects.toMatchObject(refused);
    await expect(acquire(deploymentAt(5), made('0 '))).rejects.toMatchObject(refused);
  });
});
