/** Control makes a token for a host, and seals it: whoever reaches Temporal can ask for one, and can do nothing with it. */
import { LRUCache } from 'lru-cache';
import {
  fullName,
  orderedIn,
  poolOf,
  readTokenFacts,
  type ReadTokenActivities,
  type ReadTokenRequest,
  type SealedReadToken,
} from '@nereid/contracts';
import type { GitToken } from '@nereid/forge';
import { createSealer } from '@nereid/signature';
import { withFailures } from '../failures/failures.ts';
import type { MintReadToken } from './read-tokens.ts';
import { sealKeyFor, type SealKeyOf } from './seal-key.ts';
import { verifyOrdered, type OrderedContext } from './verify-ordered.ts';

export interface SealTools {
  readonly context: OrderedContext;
  readonly mint: MintReadToken;
  readonly sealKeyOf: SealKeyOf;
}

/**
 * However many ask: the forge is asked once in this time for each repository, also when it refuses. A token that it gave is kept
 * until shortly before its end.
 */
const ASKED_AGAIN_AFTER_MS = 10_000;

/** More than one installation deploys at once. */
const REPOSITORIES_LIMIT = 1_000;

export function createReadTokenActivities({ context, mint, sealKeyOf }: SealTools): ReadTokenActivities {
  const asked = new LRUCache<string, Promise<GitToken>>({ max: REPOSITORIES_LIMIT, ttl: ASKED_AGAIN_AFTER_MS });
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
  request: ReadTokenRequest,
): Promise<SealedReadToken> {
  const { repository, ordered } = request;
  await verifyOrdered(context, request);
  // The number of the installation is the order's: with another one, a token would read somebody else's repository.
  const sealKey = sealKeyFor(sealKeyOf, poolOf(ordered.root));
  const { value: secret, expiresAt } = await mint(orderedIn(repository, ordered));
  const sealed = await createSealer(sealKey).seal(
    { subject: ordered.id, repository: fullName(repository) },
    { secret, expiresAt },
  );
  const signature = await context.signatures.sign('token', readTokenFacts(repository, ordered.id, sealed));
  return { sealed, signature };
}
