import { expect, test } from '@jest/globals';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { testSignatures } from '../../testing/test-signatures.ts';
import { claimWorker, createClaimActivities } from './claim-queue.ts';
import { createSlots } from '../slots/slots.ts';

test('a host signs its answer to a claim, for this deployment alone', async () => {
  const slots = createSlots(() => 1);
  const claims = createClaimActivities({ hostId: 'h1', slots, signatures: testSignatures }, 'deployment');

  const claim = await claims.claimHost('d1');

  const about = { pool: DEFAULT_POOL, hostId: 'h1' };
  await testSignatures.open('claim/host', claim, { ...about, deploymentId: 'd1' });
  await expect(testSignatures.open('claim/host', claim, { ...about, deploymentId: 'd2' })).rejects.toMatchObject({
    kind: 'claim/host',
  });
});

test.each([
  ['default', 'terraform', 'terraform-previews'],
  ['prod', 'terraform/prod', 'terraform-previews/prod'],
])('a host of the pool %s answers claims of %s and %s', (pool, forDeployments, forPreviews) => {
  const slots = createSlots(() => 1);
  const activities = createClaimActivities({ hostId: 'h1', slots, signatures: testSignatures }, 'deployment');

  expect(claimWorker({ pool, slots, activities, use: 'deployment' }).taskQueue).toBe(forDeployments);
  expect(claimWorker({ pool, slots, activities, use: 'preview' }).taskQueue).toBe(forPreviews);
});
