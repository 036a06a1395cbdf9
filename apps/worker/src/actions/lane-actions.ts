import type { ActionsWith } from '@nereid/domain/actions';
import type { LaneEffect } from './action.ts';
import { UNLOCK } from './unlock.ts';

type LaneAction = ActionsWith<{ readonly about: 'lane'; readonly console: object }>;

/** The effect of each action about a lane. Check runs, comments and the console offer all of these. */
export const LANE_ACTIONS: Readonly<Record<LaneAction, LaneEffect>> = { unlock: UNLOCK };

export function isLaneAction(action: string): action is LaneAction {
  return action in LANE_ACTIONS;
}
