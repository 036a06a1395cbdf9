/** The gates at which a deployment in memory waits, and what happens to it meanwhile. */
import type { PlanReview } from '../../plan/review.ts';
import type { Signed } from '../../signed.ts';
import type { DeploymentActor } from '../actor.ts';
import type { Asking } from '../effects.ts';
import type { DeploymentEvent } from '../events.ts';
import { isReview, type Press } from '../press.ts';

export class GatesInMemory {
  /** What happened to the deployment while it waited at a gate. */
  readonly seen = new Set<string>();
  /** Storage has the rejection of a plan that waited: nothing of it begins. */
  isOvertaken = false;
  /** Control has verified that rejection, and the plan still waited. */
  isRejected = false;

  /** The deployment is as it was before the event. */
  watch({ progress, isCancelled }: DeploymentActor, event: DeploymentEvent, signed: string): void {
    if (progress.status !== 'blocked') return;
    this.seen.add('effect' in event ? `${event.effect.kind} ${event.kind}` : event.kind);
    const digest = progress.plan?.made.body.digest;
    const isOfPlan = (press: Press) => isRejection(press) && press.signature === signed && press.body.digest === digest;
    // Intake tells storage before it tells the deployment.
    if (event.kind === 'press' && isOfPlan(event.press)) this.isOvertaken = true;
    if (event.kind !== 'answered' || event.effect.kind !== 'verify-press' || isCancelled) return;
    if (isOfPlan(event.effect.press)) this.isRejected = true;
  }

  /**
   * Closed for seconds or for hours, or unreadable. An earlier attempt of the same request may have told the start.
   */
  close(effect: Asking, now: number, random: () => number, isRepeated: boolean): DeploymentEvent {
    const until = now + Math.floor(random() * (random() < 0.5 ? 30_000 : 7_200_000));
    const ends = random() < 0.3 ? ({ askAgain: 'soon' } as const) : { until };
    const closed = { gate: 'window', who: [], sentence: 'Closed', ...ends, ...(isRepeated && { isRepeated }) } as const;
    return { kind: 'failed', effect, failure: { kind: 'refused', code: 'GATE_CLOSED', why: 'Closed', closed } };
  }
}

function isRejection(press: Press): press is Signed<PlanReview> {
  return isReview(press) && press.body.answer === 'rejected';
}
