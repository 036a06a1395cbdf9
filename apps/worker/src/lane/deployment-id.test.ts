import { expect, test } from '@jest/globals';
import { deploymentIdOf } from './deployment-id.ts';

const LANE = 'acme/infra||network';
const id = deploymentIdOf(LANE, { requestId: 'delivery-1:network' });

test('the same request is for the same deployment, whenever it comes', () => {
  expect(deploymentIdOf(LANE, { requestId: 'delivery-1:network' })).toBe(id);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
});

test.each([
  ['another request', LANE, 'delivery-2:network'],
  ['another lane', 'acme/infra||database', 'delivery-1:network'],
])('%s is for another deployment', (_what, lane, requestId) => {
  expect(deploymentIdOf(lane, { requestId })).not.toBe(id);
});
