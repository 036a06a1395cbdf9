/** Control makes a token for a host, and seals it: whoever reaches Temporal can ask for one, and can do nothing with it. */
import { LRUCache } from 'lru-cache';
import type { SealedReadToken } from '@nereid/domain/deployment';
import { fullName, poolOf } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import type { ReadTokenActivities, ReadTokenRequest } from '@nereid/domain/tokens';
import type { GitToken } from '@nereid/forge';
import { createSealer } from '@nereid/signature';
import { withFailures } from '../failures/failures.ts';
import type { MintReadToken } from './read-tokens.ts';
import { sealKeyFor, type SealKeyOf } from './seal-key.ts';
import { openOrdered, type OrderedContext } from './open-ordered.ts';

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

/** Seals tokens for what intake ordered and what has not ended. Throws as the activity does. */
export type SealReadToken = ReadTokenActivities['sealReadToken'];

export function createSealReadToken({ context, mint, sealKeyOf }: SealTools): SealReadToken {
  const asked = new LRUCache<string, Promise<GitToken>>({ max: REPOSITORIES_LIMIT, ttl: ASKED_AGAIN_AFTER_MS });
  const mintOnce: MintReadToken = (repository) => {
    const key = `${repository.installationId} ${fullName(repository)}`;
    const token = asked.get(key) ?? mint(repository);
    if (!asked.has(key)) asked.set(key, token);
    return token;
  };
  return (request) => sealReadToken({ context, mint: mintOnce, sealKeyOf }, request);
}

export function createReadTokenActivities(tools: SealTools): ReadTokenActivities {
  return withFailures({ sealReadToken: createSealReadToken(tools) } satisfies ReadTokenActivities);
}

/** Only for what intake ordered and what has not ended. Which repositories a token reads is never taken from the request. */
async function sealReadToken(
  { context, mint, sealKeyOf }: SealTools,
  request: ReadTokenRequest,
): Promise<Signed<SealedReadToken>> {
  const { id: deploymentId, repository, root } = (await openOrdered(context, request)).body;
  // The number of the installation is the order's: with another one, a token would read somebody else's repository.
  const sealKey = sealKeyFor(sealKeyOf, poolOf(root));
  const { value: secret, expiresAt } = await mint(repository);
  const purpose = { subject: deploymentId, repository: fullName(repository) };
  const sealed = await createSealer(sealKey).seal(purpose, { secret, expiresAt });
  return context.signatures.enclose('token/read', { version: 1, repository, deploymentId, sealed });
}
