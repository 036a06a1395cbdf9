/** The head that a command is about is the one that its author saw, not the one that the branch has when the command comes. */
import { shortSha } from '@nereid/domain/deployment';
import type { CommentEvent } from '@nereid/domain/intake';
import type { BranchMove, PullRequest } from '@nereid/forge';
import { schedulePullRequestSync } from '../../pull-request/schedule-sync.ts';
import { askPatiently, HeadUnsettledError } from '../../person/ask-patiently.ts';
import type { IntakeCall } from '../intake-call.ts';

/**
 * Why the head of the pull request is not the one that was there when the comment was written; empty when it is. The head is in
 * this repository. One request to the forge.
 */
export async function movedSince(
  call: IntakeCall,
  { repository, createdAt }: CommentEvent,
  pullRequest: PullRequest,
): Promise<readonly string[]> {
  const { name } = call.context.forge;
  const notNow = `${name} could not tell when the head of this pull request was pushed: not now, try again`;
  const notRecorded = `${name} has no record of a push to ${pullRequest.headBranch}: push a commit, then comment again`;
  const ask = async () => {
    const move = await call.context.forge.repositories.lastMove(repository, pullRequest.headBranch);
    return move === undefined ? [notRecorded] : judge(move, pullRequest, createdAt);
  };
  return askPatiently(call, ask, [notNow]);
}

/**
 * The same for a head in a fork, whose pushes the forge does not tell us of. The time counts at which a look at the pull request
 * first found this head, by the forge's clock: a head that was pushed after the comment cannot have been found before it.
 */
export async function seenTooLate(
  { context }: IntakeCall,
  { repository, createdAt }: CommentEvent,
  { number, headSha }: PullRequest,
): Promise<readonly string[]> {
  const look = (await context.pullRequestRecords.read(repository, { number }))?.look;
  const isSeen = look?.headSha === headSha && Date.parse(look.headAt ?? createdAt) < Date.parse(createdAt);
  if (isSeen) return [];
  // So that the next comment finds it.
  await schedulePullRequestSync(context, repository, number);
  return [`the head ${shortSha(headSha)} of this fork may be newer than your comment: look at it, then comment again`];
}

/** The times of a forge may have no fractions: what happened in the same second may have happened after the comment. */
function judge(move: BranchMove, pullRequest: PullRequest, createdAt: string): readonly string[] {
  const { headBranch, headSha } = pullRequest;
  const isEarlier = Date.parse(move.at) < Date.parse(createdAt);
  if (!isEarlier) return [`the branch ${headBranch} moved after your comment: look at its head, then comment again`];
  const head = isGone(move) ? move.before : move.after;
  if (head !== headSha) throw new HeadUnsettledError(pullRequest);
  return [];
}

/** A deleted branch leaves the pull request with its last head. */
function isGone({ after }: BranchMove): boolean {
  return /^0+$/.test(after);
}
