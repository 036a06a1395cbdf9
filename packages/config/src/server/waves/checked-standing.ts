/** How a wave stands with its checks while it soaks and afterwards, in words. */
import { describeChecks, type CheckedSoak, type CheckRule, type WaveBefore } from '@nereid/domain/gates';
import { describeTime } from '../windows/describe-window.ts';

/** People of all zones read it. */
export const WAVES_ZONE = 'UTC';

/** `now` is in epoch milliseconds. */
export function describeChecked(rules: readonly CheckRule[], soak: CheckedSoak, now: number): WaveBefore['standing'] {
  const checks = describeChecks(rules, soak, now);
  const { until } = soak;
  if (until <= now) return { kind: 'checking', checks };
  return { kind: 'soaking', until, said: describeTime(WAVES_ZONE, until, now), checks };
}
