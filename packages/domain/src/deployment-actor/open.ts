/** The beginning of a deployment. */
import type { TerraformInput } from '../deployment/terraform-workflow.ts';
import { isoOf, type DeploymentActor } from './actor.ts';
import { durationsOf } from '../deployment/rules/durations.ts';
import { goOn } from './go-on.ts';
import { newProgress } from './progress.ts';

/** `isFollowed`: by a lane, which hears when the workflow closes. */
export function openDeployment(input: TerraformInput, now: number, isFollowed: boolean): DeploymentActor {
  const { deployment, reported } = input;
  const opened: DeploymentActor = {
    input,
    durations: durationsOf(deployment, input.durations),
    progress: newProgress(isoOf(now)),
    step: { kind: 'to', place: { kind: deployment.reviewed === undefined ? 'plan' : 'reviewed before' } },
    work: undefined,
    attempts: {
      ...{ plans: 0, whyAgain: undefined, lost: 0, refused: 0, applies: 0 },
      patience: { deadline: 0, pauseMs: 0 },
    },
    hosts: { claim: undefined, waitedMs: 0, jobs: { plan: 0, apply: 0 }, used: [], keepsPlan: false },
    reviewing: {
      digest: undefined,
      answer: undefined,
      approval: undefined,
      confirmed: undefined,
      known: [],
      undecided: [],
    },
    showing: {
      checkRuns: deployment.checkRuns,
      reported,
      writing: undefined,
      isToShowAgain: false,
      notice: undefined,
      differsSince: undefined,
      pausedUntil: 0,
      hoursUnshown: 0,
      isForgeBehind: false,
    },
    trail: { audits: [], refusals: [], unapplied: [], underWay: 0 },
    isCancelled: false,
    cancellation: undefined,
    tellsEnd: !isFollowed,
    unlocked: deployment.unlocked,
  };
  return goOn(opened, now);
}
