/** Why a plan may be of something else than its people think: a person has to read it, whatever the settings of its root say. Pure. */
import { capitalised } from '../words.ts';
import type { OtherState } from './other-state.ts';

export interface Doubted {
  readonly made: { readonly body: { readonly doubt?: string | undefined } };
  readonly otherState?: OtherState | undefined;
}

/** As sentences, with what to do; empty where nothing speaks for that. Hostile. */
export function doubtsOf({ made: { body }, otherState }: Doubted): readonly string[] {
  const { doubt } = body;
  return [
    ...(otherState === undefined ? [] : [OTHER_STATE[otherState]]),
    ...(doubt === undefined
      ? []
      : [`${capitalised(doubt)}. So a person reviews this plan, whatever plan_review and auto_when say.`]),
  ];
}

const MOVE =
  'If its backend has moved, confirm nothing: move its state with terraform init -migrate-state, and plan again.';

const OTHER_STATE: Readonly<Record<OtherState, string>> = {
  empty: `This root was deployed before, but its state is empty now: the plan makes everything a second time. ${MOVE}`,
  unrelated: `The last deployment left another state, whose resources are not in this plan. ${MOVE}`,
};
