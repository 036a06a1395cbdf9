/** Control makes the token of a job for its host, and seals it: whoever reaches Temporal can ask for one, and can do nothing with it. */
import { fullName, poolOf } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import type { IdentityTokenActivities, IdentityTokenRequest, SealedIdentityToken } from '@nereid/domain/tokens';
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
): Promise<Signed<SealedIdentityToken>> {
  const { order, phase, go, token } = await issueIdentityToken(context, request);
  const { id: deploymentId, repository, root } = order.body;
  const { value: secret, expiresAt } = token;
  const sealer = createSealer(sealKeyFor(sealKeyOf, poolOf(root)));
  const sealed = await sealer.seal(purposeOf({ repository, deploymentId, phase }), { secret, expiresAt });
  const about = { repository, deploymentId, phase, ...(go && { go: go.signature }) };
  return context.signatures.enclose('token/identity', { version: 1, ...about, sealed });
}

/** A token of a plan opens for no apply, and the other way round. */
export function purposeOf({
  repository,
  deploymentId,
  phase,
}: Pick<SealedIdentityToken, 'repository' | 'deploymentId' | 'phase'>): SealPurpose {
  return { subject: `${deploymentId}/${phase}`, repository: fullName(repository) };
}
