import { orderOf } from '@nereid/domain/deployment';
import type { NewRevision } from '@nereid/domain/lane';
import { deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { expect, test } from '@jest/globals';
import { testSignatures } from '../testing/test-signatures.ts';
import { orderDeployment } from './order-deployment.ts';

test('the same request is for the same deployment, whenever it comes', async () => {
  const { deploymentId } = await order('delivery-1:network');

  expect(deploymentId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect((await order('delivery-1:network')).deploymentId).toBe(deploymentId);
});

test('another request, or the same of another repository, is for another deployment', async () => {
  const ids = [
    await order('delivery-1:network'),
    await order('delivery-2:network'),
    await order('delivery-1:network', 'dns'),
  ];

  expect(new Set(ids.map(({ deploymentId }) => deploymentId)).size).toBe(3);
});

test('an order is signed as it is, for this repository and this deployment', async () => {
  const ordered = await order('delivery-1:network');
  const id = ordered.deploymentId ?? '';

  await testSignatures.open('order/deploy', orderOf(REPOSITORY, { ...ordered, id }), {});
  const elsewhere = orderOf({ ...REPOSITORY, name: 'other' }, { ...ordered, id });
  await expect(testSignatures.open('order/deploy', elsewhere, {})).rejects.toThrow('a signature of something else');
});

test('an order says when it was signed, and nobody can say another time', async () => {
  const before = new Date().toISOString();

  const ordered = await order('delivery-1:network');

  const id = ordered.deploymentId ?? '';
  expect((ordered.orderedAt ?? '') >= before).toBe(true);
  const earlier = orderOf(REPOSITORY, { ...ordered, id, orderedAt: '2026-11-21T08:00:00.000Z' });
  await expect(testSignatures.open('order/deploy', earlier, {})).rejects.toThrow('a signature of something else');
});

test('an order ends 400 days after it was signed, and nobody can say another end', async () => {
  const ordered = await order('delivery-1:network');

  const id = ordered.deploymentId ?? '';
  expect(Date.parse(ordered.expiresAt ?? '') - Date.parse(ordered.orderedAt ?? '')).toBe(400 * 24 * 3_600_000);
  const later = orderOf(REPOSITORY, { ...ordered, id, expiresAt: '2999-01-31T14:00:00.000Z' });
  await expect(testSignatures.open('order/deploy', later, {})).rejects.toThrow('a signature of something else');
});

test('an order is good in a lane that knows an older installation of the App', async () => {
  const ordered = await order('delivery-1:network');
  const known = { ...REPOSITORY, installationId: REPOSITORY.installationId - 1 };

  const asKnown = orderOf(known, { ...ordered, id: ordered.deploymentId ?? '' });
  await expect(testSignatures.open('order/deploy', asKnown, {})).resolves.toBeDefined();
});

function order(requestId: string, name: string = REPOSITORY.name): Promise<NewRevision> {
  const { root, revision, trigger, rerun, force, requestedBy } = deploymentAt(1);
  const request = { version: 1, requestId, root, revision, trigger, rerun, force, requestedBy } as const;
  return orderDeployment({ signatures: testSignatures }, { ...REPOSITORY, name }, request);
}
