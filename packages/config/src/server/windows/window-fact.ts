/** Closed windows as a fact of the gate `window`. */
import type { GateFacts } from '@nereid/domain/gates';
import { describeTime, describeWindow } from './describe-window.ts';
import type { WindowState } from './window-state.ts';

/** `now` is in epoch milliseconds. */
export function windowFact(state: WindowState, now: number): GateFacts['window'] {
  if (state.kind === 'open') return {};
  const { by, opensAt } = state;
  const because = describeWindow(by);
  if (opensAt === undefined) return { closed: { because } };
  return { closed: { because, opens: { at: opensAt, said: describeTime(by.timezone, opensAt, now) } } };
}
