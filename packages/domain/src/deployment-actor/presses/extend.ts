import type { ReviewExtension } from '../../plan/review.ts';
import type { Signed } from '../../signed.ts';
import { isoOf, type DeploymentActor } from '../actor.ts';
import { note } from '../changes.ts';

/** The intake that signed it has said so in the audit trail. One of another plan, or one that comes too late, changes nothing. */
export function extendReview(actor: DeploymentActor, { body }: Signed<ReviewExtension>): DeploymentActor {
  const { step, reviewing, progress } = actor;
  const until = Date.parse(body.until);
  if (step.kind !== 'review' || progress.plan === undefined) return actor;
  if (body.digest !== reviewing.digest || !(until > step.until)) return actor;
  const plan = { ...progress.plan, expiresAt: isoOf(until) };
  return { ...note(actor, { plan }), step: { ...step, until } };
}
