/** What the server's file gives to a job: its identity, its variables and its secrets. */
import {
  hasOwnApplyIdentity,
  identityFor,
  placeOf,
  secretFilesFor,
  type RootIdentity,
  type SecretPhase,
} from '@nereid/config';
import { fullName } from '@nereid/domain/root';
import type { Phase } from '@nereid/domain/tokens';
import type { IdentityJob } from '../../../platform/tokens/identity/identity-tokens.ts';
import type { OpenedJob } from '../../../platform/tokens/opened-job.ts';
import type { HostTools } from '../tools.ts';

/** Undefined for a root without an identity. Ask for it first: for an apply, until its permission expires. */
export async function identityTokenFor(
  tools: Pick<HostTools, 'context'>,
  job: IdentityJob,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (identityOf(tools, job).identity === undefined) return undefined;
  return tools.context.identityTokens.tokenFor(job, signal);
}

export function phaseOfJob(job: IdentityJob): Phase {
  return 'go' in job ? 'apply' : 'plan';
}

/** A plan to go back is one of a revision that was applied. */
export function isOfUnmergedCode({ preview }: Pick<IdentityJob, 'preview'>): boolean {
  return preview !== undefined && preview.reverts === undefined;
}

/** Whether clouds know the apply of a root as somebody else than its plan. A plan and its apply ask the same. */
export function appliesAsAnother({ context }: Pick<HostTools, 'context'>, { repository, root }: OpenedJob): boolean {
  const place = { ...placeOf(root), planReview: root.planReview };
  return hasOwnApplyIdentity(context.server.current(), fullName(repository), place);
}

export function identityOf({ context }: Pick<HostTools, 'context'>, { repository, root }: OpenedJob): RootIdentity {
  return identityFor(context.server.current(), fullName(repository), placeOf(root));
}

/** Of each phase, what the server's file gives to the root. */
export function filesOf({ context }: Pick<HostTools, 'context'>, { repository, root }: OpenedJob) {
  return secretFilesFor(context.server.current(), fullName(repository), placeOf(root));
}

/** An unlock does what a plan of merged code could do. */
export function secretFilesOf(tools: Pick<HostTools, 'context'>, job: IdentityJob) {
  const phase: SecretPhase = isOfUnmergedCode(job) ? 'preview' : phaseOfJob(job);
  return filesOf(tools, job)[phase];
}
