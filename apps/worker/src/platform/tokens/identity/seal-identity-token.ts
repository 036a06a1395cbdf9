/** Control makes the token of a job for its host, and seals it: whoever reaches Temporal can ask for one, and can do nothing with it. */
import { fullName, poolOf } from '@nereid/domain/root';
import {
  identityTokenFacts,
  phaseOf,
  type IdentityTokenActivities,
  type IdentityTokenRequest,
  type SealedIdentityToken,
} from '@nereid/domain/tokens';
import { createSealer, type SealPurpose } from '@nereid/signature';
import { withFailures } from '../../failures/failures.ts';
import { sealKeyFor, type SealKeyOf } from '../seal-key.ts';
import { issueIdentityToken, type IssueContext } from './issue-identity-token.ts';

export interface SealIdentityTools {
  readonly context: IssueContext;
  readonly sealKeyOf: SealKeyOf;
}

export function createIdentityTokenActivities(tools: SealIdentityTools): IdentityTokenActivities {
  return withFailures({
    sealIdentityToken: (request) => sealIdentityToken(tools, request),
  } satisfies IdentityTokenActivities);
}

async function sealIdentityToken(
  { context, sealKeyOf }: SealIdentityTools,
  request: IdentityTokenRequest,
): Promise<SealedIdentityToken> {
  const { repository, ordered, apply } = request;
  const { value: secret, expiresAt } = await issueIdentityToken(context, request);
  const sealer = createSealer(sealKeyFor(sealKeyOf, poolOf(ordered.root)));
  const sealed = await sealer.seal(purposeOf({ ...request, deploymentId: ordered.id }), { secret, expiresAt });
  const facts = identityTokenFacts(repository, { deploymentId: ordered.id, apply }, sealed);
  return { sealed, signature: await context.signatures.sign('identity-token', facts) };
}

/** A token of a plan opens for no apply, and the other way round. */
export function purposeOf({
  repository,
  deploymentId,
  apply,
}: Pick<IdentityTokenRequest, 'repository' | 'apply'> & { readonly deploymentId: string }): SealPurpose {
  return { subject: `${deploymentId}/${phaseOf(apply)}`, repository: fullName(repository) };
}
