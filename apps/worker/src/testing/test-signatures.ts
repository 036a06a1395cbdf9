/** Keys and signatures for tests: one pair of each, made once for a test file. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { defined } from '@nereid/domain/defined';
import {
  orderBody,
  orderKind,
  type ApplyJob,
  type Deployment,
  type Go,
  type HostJob,
  type Order,
  type Progress,
} from '@nereid/domain/deployment';
import { isConsoleRequest, sealedFor, type LoginProof, type ReceivedEvent } from '@nereid/domain/intake';
import type { Review } from '@nereid/domain/plan';
import { DEFAULT_POOL, type Repository } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { NEVER } from '@nereid/domain/testing';
import { createKeyPair, createSealer, createSealKeyPair, createSigner, encloseBody } from '@nereid/signature';
import { claimedBy } from '../lane/verify-orders.ts';
import { createSignatures, type Signatures } from '../platform/keys/signatures.ts';
import { openedJob, type OpenedApply, type OpenedJob } from '../platform/tokens/opened-job.ts';

const [gateway, consoleKeys, orders, pool] = [createKeyPair(), createKeyPair(), createKeyPair(), createKeyPair()];
const controlSeal = createSealKeyPair();

/** Of a worker with both roles. */
export const KEY_VARIABLES = {
  GATEWAY_PUBLIC_KEY: gateway.publicKey,
  CONSOLE_PUBLIC_KEY: consoleKeys.publicKey,
  CONTROL_SEAL_KEY: controlSeal.privateKey,
  ORDERS_KEY: orders.privateKey,
  POOL_KEY: pool.privateKey,
};

const poolSeal = createSealKeyPair();

/** What control seals with, and what hosts open with. */
export const SEAL_VARIABLES = { POOL_SEAL_KEY: poolSeal.privateKey, POOL_SEAL_PUBLIC_KEY: poolSeal.publicKey };

/** Of a worker with the role terraform alone. */
export const HOST_VARIABLES = {
  ORDERS_PUBLIC_KEY: orders.publicKey,
  POOL_KEY: pool.privateKey,
  POOL_SEAL_KEY: poolSeal.privateKey,
};

export const TEST_KEYS = {
  gateway: [createPublicKey(gateway.publicKey)],
  console: [createPublicKey(consoleKeys.publicKey)],
  orders: { privateKey: createPrivateKey(orders.privateKey), publicKeys: [] },
  pool: { privateKey: createPrivateKey(pool.privateKey), publicKeys: [] },
};

/** Of a host of `default`, where the server's file names no pools. */
export const TEST_POOLS = { pool: DEFAULT_POOL, server: { current: () => NO_POOLS } };

const NO_POOLS = { pools: [] };

export const testSignatures = createSignatures({
  keys: TEST_KEYS,
  ...TEST_POOLS,
  onForged: () => undefined,
});

/** The same, but the kind of each message that counts as forged is added to the list. */
export function notingSignatures(forged: string[]): Signatures {
  return createSignatures({ ...TEST_POOLS, keys: TEST_KEYS, onForged: ({ kind }) => forged.push(kind) });
}

/** Of control workers of somebody else. */
export const strangers = createSignatures({
  keys: { ...TEST_KEYS, orders: { privateKey: createPrivateKey(createKeyPair().privateKey), publicKeys: [] } },
  ...TEST_POOLS,
  onForged: () => undefined,
});

const gatewaySigner = createSigner(createPrivateKey(gateway.privateKey));
const consoleSigner = createSigner(createPrivateKey(consoleKeys.privateKey));

/** As the gateway sends it, or a request as the console does. */
export function signedEvent(received: ReceivedEvent): Promise<Signed<ReceivedEvent>> {
  return isConsoleRequest(received.event)
    ? encloseBody(consoleSigner, 'request/person', received)
    : encloseBody(gatewaySigner, 'event/github', received);
}

/** As the console seals it for control. */
export function sealedProof(
  proof: LoginProof,
  requestId: string,
  about: Parameters<typeof sealedFor>[0],
): Promise<string> {
  const sealer = createSealer(createPublicKey(controlSeal.publicKey));
  const sealed = { secret: JSON.stringify(proof), expiresAt: Date.now() + 3_600_000 };
  return sealer.seal({ subject: requestId, repository: sealedFor(about) }, sealed);
}

/** The answer of the host h1 to a claim, as permission to apply is asked with it. */
export async function asClaimed(deploymentId: string, signatures: Pick<Signatures, 'enclose'> = testSignatures) {
  const hostId = 'h1';
  return { hostId, claim: await signatures.enclose('claim/host', { version: 1, deploymentId, hostId }) };
}

/** A deployment as intake ordered it, with its plan and its end as a host made them, and its review as intake took it. */
export async function asOrdered(repository: Repository, ordered: Deployment): Promise<Deployment> {
  const deployment = { expiresAt: NEVER, ...ordered };
  const { signature: order } = await testSignatures.enclose('order/deploy', orderBody(repository, deployment));
  const { id, progress } = deployment;
  const { plan, review, failure } = progress;
  const signed = {
    ...progress,
    ...(plan && {
      plan: {
        ...plan,
        made: await testSignatures.enclose('result/plan', { ...plan.made.body, deploymentId: id, order }),
      },
    }),
    ...(plan && review && { review: await asPressed(id, review, plan.made.body.digest) }),
    ...(failure && {
      failure: await testSignatures.enclose('result/failure', { ...failure.body, version: 1, deploymentId: id, order }),
    }),
  };
  return { ...deployment, order, progress: { ...signed, ...(await proofOf(id, order, progress)) } };
}

async function asPressed(deploymentId: string, review: Review, digest: string): Promise<Review> {
  const { answer, by, byId, at } = review;
  const body = { version: 1, requestId: 'press', deploymentId, answer, digest, by, ...defined({ byId }), at } as const;
  return { ...review, press: await testSignatures.enclose('decision/review', body) };
}

/** Its job is `job`, if the progress has none. */
async function proofOf(id: string, order: string, progress: Progress): Promise<Pick<Progress, 'proof'>> {
  const outcome = claimedBy(progress);
  if (outcome === undefined) return {};
  const jobId = progress.jobs.apply?.id ?? 'job';
  const body = { version: 1, deploymentId: id, jobId, order, ...outcome } as const;
  return { proof: await testSignatures.enclose('result/outcome', body) };
}

/** A job as its host is asked, with what is ordered beside it: hosts leave that behind. */
export interface TestJob extends Order, HostJob {
  readonly deploymentId: string;
}

export type UnsignedJob = Omit<TestJob, 'version' | 'id' | 'order'>;

/** As intake orders it. */
export async function withOrder(
  job: UnsignedJob & Partial<Pick<TestJob, 'order'>>,
  signatures: Pick<Signatures, 'enclose'> = testSignatures,
): Promise<TestJob> {
  const { deploymentId: id, jobId, order: _other, ...ordered } = job;
  const body = orderBody(job.repository, { expiresAt: NEVER, ...ordered, id });
  return { ...body, deploymentId: id, jobId, order: await signatures.enclose(orderKind(body), body) };
}

/** An apply, without the permission for it. */
export type Applying = TestJob & Pick<Go, 'digest'> & Pick<ApplyJob, 'review'>;

/** An apply that control has given permission for. */
export async function withGo(
  job: Applying & Pick<Go, 'hostId'>,
  expiresAt = new Date(Date.now() + 60_000).toISOString(),
  isEmpty = false,
  beginBy = expiresAt,
): Promise<ApplyJob> {
  const { deploymentId, jobId, hostId, digest, order, review } = job;
  const about = {
    deploymentId,
    jobId,
    hostId,
    digest,
    order: order.signature,
    ...defined({ review: review?.signature }),
  };
  const body: Go = { version: 1, ...about, acceptBy: expiresAt, beginBy, expiresAt, ...(isEmpty && { isEmpty }) };
  return { jobId, order, go: await testSignatures.enclose('go/apply', body), ...(review && { review }) };
}

/** As its host opens it. */
export async function openedBy(
  { jobId, order, readToken }: HostJob,
  signatures: Pick<Signatures, 'open'> = testSignatures,
): Promise<OpenedJob> {
  return { ...openedJob(await signatures.open(orderKind(order.body), order, {}), jobId), ...defined({ readToken }) };
}

export async function openedApply(job: ApplyJob): Promise<OpenedApply> {
  const { go, review } = job;
  const opened = await openedBy(job);
  return { ...opened, go: await testSignatures.open('go/apply', go, go.body), ...(review && { review }) };
}
