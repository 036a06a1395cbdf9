/**
 * An apply whose worker was lost: Terraform may go on without it. The worker that comes back on that host's disk tells the true
 * outcome. Nobody applies again before that, and nobody waits for ever.
 */
import type { ApplyJob } from '../../deployment/job/host-job.ts';
import type { DeploymentActor } from '../actor.ts';
import { note, pause, withPatience } from '../changes.ts';
import { isHostLost, type EffectFailure } from '../events.ts';
import type { Applying, InspectStep } from '../step.ts';
import { close } from './applying.ts';

export function inspect(
  actor: DeploymentActor,
  applying: Applying,
  job: ApplyJob,
  lost: string,
  now: number,
): DeploymentActor {
  const { applyMs, comeBackMs } = actor.durations;
  const reason = `The worker was lost (${lost}). The apply may still be running on host ${job.go.body.hostId}: waiting for its outcome.`;
  const until = now + applyMs + comeBackMs;
  const step = { kind: 'inspect', applying, job, until, isKept: actor.isCancelled, asks: 'outcome' } as const;
  return { ...withPatience(note(actor, { reason }), now), step };
}

export function failInspection(actor: DeploymentActor, step: InspectStep, failure: EffectFailure, now: number) {
  const { kind, why } = failure;
  if (kind === 'cancelled') return abandon(actor, step, now);
  if (now > step.until) return endUnknown(actor, step, why, now);
  if (kind === 'not taken') return { ...actor, step: { ...step, asks: 'host' } as const };
  if (isHostLost(failure)) return askAgain(actor, step, now);
  const reason = `Host ${step.job.go.body.hostId} is asked again for the outcome of the apply: ${why}`;
  return pause(actor, reason, step, now) ?? endUnknown(actor, step, why, now);
}

export function hostOfApplyFound(actor: DeploymentActor, step: InspectStep, isThere: boolean, now: number) {
  return isThere ? askAgain(actor, step, now) : endUnknown(actor, step, 'the host did not come back', now);
}

/** Lost once more, perhaps after it followed the apply for long: again, the worker that comes back is asked. */
function askAgain(actor: DeploymentActor, step: InspectStep, now: number): DeploymentActor {
  const until = now + actor.durations.pauseMs;
  return { ...actor, step: { kind: 'pause', until, next: { ...step, asks: 'outcome' } } };
}

/** Somebody cancelled the deployment after its worker was lost. */
export function abandon(actor: DeploymentActor, step: InspectStep, now: number): DeploymentActor {
  return endUnknown(actor, step, 'a person no longer wanted to wait for its host', now);
}

function endUnknown(actor: DeploymentActor, { applying, job }: InspectStep, why: string, now: number): DeploymentActor {
  const outcome = {
    kind: 'unknown',
    why: `The apply began on host ${job.go.body.hostId}, whose worker was lost; ${why}. Terraform may have changed resources, and may still be at work: look at the state and at its lock before you go on.`,
  } as const;
  return close(actor, applying, outcome, now);
}
