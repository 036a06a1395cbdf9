/** Plans that stay as they were, although they may be out of date. */
import { isDeepStrictEqual } from 'node:util';
import type { RepositoryPolicy } from '@nereid/config';
import type { PullRequestLook } from '@nereid/domain/pull-request';
import type { PullRequest } from '@nereid/forge';

/** Nobody waits for the plan of a pull request that rested for so long; a push or a command has it planned. */
const IDLE_MS = 14 * 24 * 60 * 60_000;

export function isIdle({ updatedAt }: Pick<PullRequest, 'updatedAt'>): boolean {
  return Date.parse(updatedAt) < Date.now() - IDLE_MS;
}

/** The same object when it said so before. */
export function notRenewed(look: PullRequestLook, why: NonNullable<PullRequestLook['notRenewed']>): PullRequestLook {
  return look.notRenewed === why ? look : { ...look, notRenewed: why };
}

const REMARKS = {
  draft: () => 'a draft: not planned again',
  idle: (commentName: string) => `at rest for two weeks: comment \`${commentName} plan\` for a new plan`,
} as const;

/** Keeps what the server's file says of such plans, for those who show the look. The same object when it said so before. */
export function withStaleness(
  look: PullRequestLook,
  { commentName, stale }: { readonly commentName: string; readonly stale: RepositoryPolicy['stale'] },
): PullRequestLook {
  const { remark: _remark, blocksStale: _blocksStale, ...found } = look;
  const described = {
    ...found,
    ...(look.notRenewed && { remark: REMARKS[look.notRenewed](commentName) }),
    ...(stale === 'block' && { blocksStale: true as const }),
  };
  return isDeepStrictEqual(described, look) ? look : described;
}
