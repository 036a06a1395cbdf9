/**
 * What a deployment waits for, in words. Check runs, pages and terminals say the same: each shows the parts of a sentence in its
 * own way. Pure.
 */
import type { CheckRunAction } from '../actions/actions.ts';
import type { Review } from '../plan/review.ts';
import type { Signed } from '../signed.ts';
import type { Unlock } from './lock.ts';
import type { DeploymentStatus } from './status.ts';

/** Words of ours; or what is named, which surfaces link, escape or embolden. */
export type WaitPart =
  | string
  /** The lock, by what set it. */
  | { readonly kind: 'lock' }
  | { readonly kind: 'time'; readonly at: string }
  | { readonly kind: 'person'; readonly login: string }
  | { readonly kind: 'action'; readonly action: CheckRunAction | 'rerun' }
  /** Where people answer, for a surface that is not the only place. */
  | { readonly kind: 'place' }
  /** May quote names from outside: hostile. */
  | { readonly kind: 'reason'; readonly reason: string };

/** Both as processes have it and as the console's API gives it. */
export interface Waiting {
  readonly status: DeploymentStatus;
  /** Of a queued deployment a clause, whose subject it is; otherwise a sentence. */
  readonly reason?: string | undefined;
  /** How many deployments go first. */
  readonly ahead?: number | undefined;
  /** The lock that holds it back. */
  readonly lock?: { readonly at: string } | undefined;
  readonly unlocked?: Signed<Unlock> | undefined;
  /** As the end of "Waiting for": "@alice's review". */
  readonly awaited?: string | undefined;
  readonly expiresAt?: string | undefined;
  /** A person's, whose apply has not begun. */
  readonly review?: Pick<Review, 'by'> | undefined;
  /** A re-run of it plans what is left. */
  readonly isRepeatable?: boolean | undefined;
}

const PLACE = { kind: 'place' } as const;
const UNLOCK = { kind: 'action', action: 'unlock' } as const;

/** One sentence or a few; undefined when nothing is to be said of a wait. Who may answer is not part of it. */
export function waitSentence(waiting: Waiting): readonly WaitPart[] | undefined {
  switch (waiting.status) {
    case 'queued':
      return queued(waiting);
    case 'awaiting-review':
      return awaiting(waiting);
    case 'apply-outcome-unknown':
      return unknownOutcome(waiting);
    default:
      return undefined;
  }
}

/** The reason why a queued deployment waits, in a few words; `lock` describes the lock. */
export function queueLine({
  reason,
  ahead = 0,
  lock,
}: Pick<Waiting, 'reason' | 'ahead'> & { readonly lock?: string | undefined }): string {
  if (lock !== undefined) return `locked by ${lock}`;
  return reason ?? (ahead === 0 ? 'next' : `${ahead} ahead`);
}

function queued({ lock, reason, ahead = 0 }: Waiting): readonly WaitPart[] {
  if (lock) {
    const go = ' lets the waiting deployments of this lane go on';
    return ['Locked by ', { kind: 'lock' }, ', ', { kind: 'time', at: lock.at }, '. ', UNLOCK, go, PLACE, '.'];
  }
  if (reason !== undefined)
    return ['This deployment ', { kind: 'reason', reason }, '. It starts by itself once that is done.'];
  if (ahead === 0) return ['This deployment is next in its lane.'];
  return [`${ahead === 1 ? 'One deployment goes' : `${ahead} deployments go`} first in this lane.`];
}

function awaiting({ review, awaited = 'a review', expiresAt }: Waiting): readonly WaitPart[] {
  if (review)
    return [{ kind: 'person', login: review.by }, ' confirmed exactly this plan, and its apply has not begun.'];
  return [`Waiting for ${awaited}`, PLACE, '.', ...reviewExpiry(expiresAt)];
}

/** Begins with a space. */
export function reviewExpiry(expiresAt: string | undefined): readonly WaitPart[] {
  return expiresAt === undefined ? [] : [' Without an answer, this ends ', { kind: 'time', at: expiresAt }, '.'];
}

function unknownOutcome({ unlocked, isRepeatable }: Waiting): readonly WaitPart[] {
  const lead = 'The apply was interrupted, and nobody can tell how much of it happened. ';
  if (unlocked) {
    const { by: login, askedAt: at } = unlocked.body;
    const person: WaitPart = { kind: 'person', login };
    return [lead, person, ' unlocked the lane, ', { kind: 'time', at }, ': waiting deployments go on.'];
  }
  const look = 'Look at the log and at the resources that exist, and check whether the state is still locked. Then ';
  const rerun: readonly WaitPart[] = isRepeatable
    ? [', or ', { kind: 'action', action: 'rerun' }, ' this check to plan what is left']
    : [];
  return [lead, look, UNLOCK, ' the lane', PLACE, ...rerun, '.'];
}
