/** Keys and signatures for tests: one pair of each, made once for a test file. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import {
  eventFacts,
  goFacts,
  orderOfJob,
  orderFacts,
  planFacts,
  type ApplyJob,
  type Deployment,
  type HostJob,
  type ReceivedEvent,
  type Repository,
} from '@nereid/contracts';
import { createKeyPair, createSigner } from '@nereid/signature';
import { pino } from 'pino';
import { createSignatures } from '../signatures.ts';

const [gateway, orders, pool] = [createKeyPair(), createKeyPair(), createKeyPair()];

/** Of a worker with both roles. */
export const KEY_VARIABLES = {
  GATEWAY_PUBLIC_KEY: gateway.publicKey,
  ORDERS_KEY: orders.privateKey,
  POOL_KEY: pool.privateKey,
};

export const TEST_KEYS = {
  gateway: [createPublicKey(gateway.publicKey)],
  orders: { privateKey: createPrivateKey(orders.privateKey), publicKeys: [] },
  pool: { privateKey: createPrivateKey(pool.privateKey), publicKeys: [] },
};

export const testSignatures = createSignatures({
  keys: TEST_KEYS,
  logger: pino({ level: 'silent' }),
  onForged: () => undefined,
});

const gatewaySigner = createSigner(createPrivateKey(gateway.privateKey));

/** As the gateway sends it. */
export async function signedEvent(received: Omit<ReceivedEvent, 'signature'>): Promise<ReceivedEvent> {
  return { ...received, signature: await gatewaySigner.sign('event', eventFacts(received)) };
}

/** A deployment as intake ordered it, with its plan as a host made it. */
export async function asOrdered(repository: Repository, deployment: Deployment): Promise<Deployment> {
  const order = await testSignatures.sign('order', orderFacts(repository, deployment));
  const { plan } = deployment.progress;
  if (plan === undefined) return { ...deployment, order };
  const signature = await testSignatures.sign('plan', planFacts(deployment.id, order, plan));
  return { ...deployment, order, progress: { ...deployment.progress, plan: { ...plan, signature } } };
}

/** A job as intake ordered it. */
export async function withOrder(job: HostJob): Promise<HostJob> {
  const signature = await testSignatures.sign('order', orderFacts(job.repository, orderOfJob(job)));
  return { ...job, order: { ...job.order, signature } };
}

/** An apply that control has given leave for. */
export async function withGo(
  job: Omit<ApplyJob, 'go'>,
  expiresAt = new Date(Date.now() + 60_000).toISOString(),
): Promise<ApplyJob> {
  const signature = await testSignatures.sign('go', goFacts(job, job.order.signature, expiresAt));
  return { ...job, go: { expiresAt, signature } };
}
