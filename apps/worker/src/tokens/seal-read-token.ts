/** Control makes a token for a host, and seals it: whoever reaches Temporal can ask for one, and can do nothing with it. */
import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  DEFAULT_POOL,
  forceUnlockFacts,
  fullName,
  hasEnded,
  orderFacts,
  orderKind,
  poolOf,
  readTokenFacts,
  type ReadTokenActivities,
  type ReadTokenRequest,
  type Repository,
  type SealedReadToken,
} from '@nereid/contracts';
import { createSealer } from '@nereid/signature';
import type { WorkerContext } from '../context.ts';
import { DeploymentEndedError } from '../lane/leave/deployment-ended.ts';
import { withFailures } from '../failures.ts';
import type { MintReadToken, ReadToken } from './read-tokens.ts';

export interface SealTools {
  readonly context: Pick<WorkerContext, 'signatures' | 'deploymentRecords' | 'pullRequestRecords'>;
  readonly mint: MintReadToken;
  /** The newest key of a pool; undefined when this worker knows none. */
  readonly sealKeyOf: (pool: string) => KeyObject | undefined;
}

/** No host of this pool could open what is sealed. */
class NoSealKeyError extends Error {
  override readonly name = 'NoSealKeyError';
  readonly code = 'NO_SEAL_KEY';

  constructor(pool: string) {
    const place =
      pool === DEFAULT_POOL
        ? 'in POOL_SEAL_PUBLIC_KEY of the control workers'
        : `as seal_public_key of the pool ${pool} in the server's file of the control workers`;
    super(
      `expected the public key to which tokens for hosts are sealed, ${place}, found nothing; set it, or give the host the key of the App`,
    );
  }
}

/**
 * However many ask: GitHub is asked once in this time for each repository, also when it refuses. A token that it gave is kept
 * until shortly before its end.
 */
const ASKED_AGAIN_AFTER_MS = 10_000;

/** More than one installation deploys at once. */
const REPOSITORIES_LIMIT = 1_000;

export function createReadTokenActivities({ context, mint, sealKeyOf }: SealTools): ReadTokenActivities {
  const asked = new LRUCache<string, Promise<ReadToken>>({ max: REPOSITORIES_LIMIT, ttl: ASKED_AGAIN_AFTER_MS });
  const mintOnce: MintReadToken = (repository) => {
    const key = `${repository.installationId} ${fullName(repository)}`;
    const token = asked.get(key) ?? mint(repository);
    if (!asked.has(key)) asked.set(key, token);
    return token;
  };
  return withFailures({
    sealReadToken: (request) => sealReadToken({ context, mint: mintOnce, sealKeyOf }, request),
  } satisfies ReadTokenActivities);
}

/** Only for what intake ordered and what has not ended. Which repositories a token reads is never taken from the request. */
async function sealReadToken(
  { context, mint, sealKeyOf }: SealTools,
  { repository, ordered, unlocking, order }: ReadTokenRequest,
): Promise<SealedReadToken> {
  const { signatures, deploymentRecords, pullRequestRecords } = context;
  const { id: deploymentId, root } = ordered;
  if (unlocking)
    await signatures.verify('force-unlock', forceUnlockFacts({ version: 1, repository, ordered, unlocking }), order);
  else await signatures.verify(orderKind(ordered), orderFacts(repository, ordered), order);
  const sealKey = sealKeyOf(poolOf(root));
  if (sealKey === undefined) throw new NoSealKeyError(poolOf(root));
  const hasEndedBefore = unlocking
    ? Date.now() > Date.parse(unlocking.expiresAt)
    : ordered.preview
      ? await isOver(pullRequestRecords, repository, root.name, deploymentId)
      : (await deploymentRecords.find(repository, root.name, deploymentId)) !== undefined;
  if (hasEndedBefore) throw new DeploymentEndedError(deploymentId);
  const { value: secret, expiresAt } = await mint(repository);
  const sealed = await createSealer(sealKey).seal(
    { subject: deploymentId, repository: fullName(repository) },
    { secret, expiresAt },
  );
  const signature = await signatures.sign('token', readTokenFacts(repository, deploymentId, sealed));
  return { sealed, signature };
}

/** A preview without a record was never ordered here, or long ago. */
async function isOver(
  records: WorkerContext['pullRequestRecords'],
  repository: Repository,
  rootName: string,
  id: string,
): Promise<boolean> {
  const record = await records.readPreview(repository, rootName, id);
  return record === undefined || hasEnded(record.deployment.progress.status);
}
