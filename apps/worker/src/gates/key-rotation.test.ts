/** Keys rotate while deployments wait at their gates: what the older keys signed still counts, until they are taken away. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { orderBody } from '@nereid/domain/deployment';
import type { Beginning } from '@nereid/domain/deployment-actor';
import { jobIdOf } from '@nereid/domain/host';
import { createKeyPair } from '@nereid/signature';
import { createSignatures, type Signatures } from '../platform/keys/signatures.ts';
import type { SigningKeys } from '../platform/keys/worker-keys.ts';
import { asClaimed, TEST_POOLS } from '../testing/test-signatures.ts';
import { aJob } from '../platform/tokens/testing/a-job.ts';
import { begin } from './begin.ts';
import { beginContext } from './testing/begin-context.ts';
import { aPress } from '@nereid/domain/testing';

const DIGEST = 'a1'.repeat(32);
const [oldOrders, newOrders, oldPool, newPool] = [createKeyPair(), createKeyPair(), createKeyPair(), createKeyPair()];

let beginning: Beginning;

/** Ordered, planned and reviewed before the keys were rotated. */
beforeEach(async () => {
  beginning = await reviewed(signaturesOf({ orders: [oldOrders], pool: [oldPool] }));
});

test.each([
  ['of orders', { orders: [newOrders, oldOrders], pool: [oldPool] }],
  ['of the pool', { orders: [oldOrders], pool: [newPool, oldPool] }],
  ['of both', { orders: [newOrders, oldOrders], pool: [newPool, oldPool] }],
])('a plan that waits while the keys %s are rotated is applied', async (_which, keys) => {
  await expect(beginWith(keys)).resolves.toMatchObject({ signature: expect.stringMatching(/\.\./) });
});

test.each([
  ['of orders', { orders: [newOrders], pool: [oldPool] }],
  ['of the pool', { orders: [oldOrders], pool: [newPool] }],
])('a plan that waits is refused once the older keys %s are taken away', async (_which, keys) => {
  await expect(beginWith(keys)).rejects.toMatchObject({ code: 'FORGED' });
});

test('after the rotation, what is signed is signed with the newer key alone', async () => {
  const { signature } = await beginWith({ orders: [newOrders, oldOrders], pool: [oldPool] });
  const keyId = JSON.parse(Buffer.from(signature.split('.')[0] ?? '', 'base64url').toString()) as { kid: string };
  const old = signaturesOf({ orders: [oldOrders], pool: [oldPool] });
  const { signature: byOld } = await old.enclose('decision/review', aPress().body);

  expect(byOld.split('.')[0]).not.toBe(signature.split('.')[0]);
  expect(keyId.kid).toMatch(/^[\w-]{43}$/);
});

type Pairs = readonly { readonly privateKey: string; readonly publicKey: string }[];

/** The first of each signs. */
function signaturesOf({ orders, pool }: { readonly orders: Pairs; readonly pool: Pairs }): Signatures {
  const halves = ([newest, ...older]: Pairs): SigningKeys['orders'] => ({
    privateKey: newest && createPrivateKey(newest.privateKey),
    publicKeys: older.map(({ publicKey }) => createPublicKey(publicKey)),
  });
  return createSignatures({
    ...TEST_POOLS,
    keys: { gateway: [], console: [], orders: halves(orders), pool: halves(pool) },
    onForged: () => undefined,
  });
}

function beginWith(keys: { readonly orders: Pairs; readonly pool: Pairs }) {
  return begin(beginContext({ signatures: signaturesOf(keys) }), beginning);
}

async function reviewed(signatures: Signatures): Promise<Beginning> {
  const { repository, deploymentId: id, jobId: _its, ...job } = aJob();
  const ordered = { ...job, id };
  const { signature: order } = await signatures.enclose('order/deploy', orderBody(repository, ordered));
  const summary = { add: 1, change: 0, destroy: 0, replace: 0, import: 0, outputs: 0, resources: [] } as never;
  const plan = { version: 1, deploymentId: id, order, hasChanges: true, digest: DIGEST, summary } as const;
  const made = await signatures.enclose('result/plan', plan);
  const at = new Date().toISOString();
  const review = {
    version: 1,
    requestId: 'p1',
    deploymentId: id,
    answer: 'approved',
    digest: DIGEST,
    by: 'ada',
    at,
  } as const;
  return {
    repository,
    deployment: {
      ...ordered,
      order,
      progress: { status: 'awaiting-review', times: {}, jobs: {}, plan: { made } },
    } as unknown as Beginning['deployment'], // The rest is not looked at.
    review: await signatures.enclose('decision/review', review),
    job: { id: jobIdOf(id, 'apply', 1) } as Beginning['job'],
    ...(await asClaimed(id, signatures)),
    audits: [],
  };
}
