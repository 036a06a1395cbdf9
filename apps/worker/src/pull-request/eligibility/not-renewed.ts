/** Plans that stay as they were, although they may be out of date. */
import type { PullRequestLook } from '@nereid/contracts';
import type { PullRequest } from '@nereid/github';

/** Nobody waits for the plan of a pull request that rested for so long; a push or a command has it planned. */
const IDLE_MS = 14 * 24 * 60 * 60_000;

export function isIdle({ updatedAt }: Pick<PullRequest, 'updatedAt'>): boolean {
  return Date.parse(updatedAt) < Date.now() - IDLE_MS;
}

/** The same object when it said so before. */
export function notRenewed(look: PullRequestLook, why: NonNullable<PullRequestLook['notRenewed']>): PullRequestLook {
  return look.notRenewed === why ? look : { ...look, notRenewed: why };
}
