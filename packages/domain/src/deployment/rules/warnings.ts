import type { OtherState } from '../../plan/other-state.ts';
import { capitalised } from '../../words.ts';
import type { Deployment } from '../model.ts';

type Warned = Pick<Deployment, 'warning' | 'formerly' | 'progress'>;

/** Sentences that a person has to read before they confirm the plan; none where nobody can act on them any more. */
export function warningsOf({ warning, formerly, progress: { status, plan } }: Warned): readonly string[] {
  if (status !== 'awaiting-review' && status !== 'planned') return [];
  const doubt = plan?.made.body.doubt;
  return [
    formerly &&
      `This directory and workspace were deployed as ${formerly.rootName} before, so a person reviews the plan under the new name.`,
    plan?.otherState && OTHER_STATE[plan.otherState],
    warning,
    doubt && `${capitalised(doubt)}. So a person reviews this plan, whatever plan_review and auto_when say.`,
  ].filter((sentence) => sentence !== undefined);
}

const MOVE =
  'If its backend has moved, confirm nothing: move its state with terraform init -migrate-state, and plan again.';

const OTHER_STATE: Readonly<Record<OtherState, string>> = {
  empty: `This root was deployed before, but its state is empty now: the plan makes everything a second time. ${MOVE}`,
  unrelated: `The last deployment left another state, whose resources are not in this plan. ${MOVE}`,
};
