import type { TimeoutMs } from '../../settings/timeout.ts';
import type { ActionRules, ReviewSettings, RootSettings } from '../repository-entry.ts';

/** The first one wins, so the merge begins with the last. Permissions are merged action by action, timeouts and reviews key by key. */
export function mergeSettings(all: readonly RootSettings[]): RootSettings {
  return all.toReversed().reduce<RootSettings>((below, above) => {
    const permissions: ActionRules = { ...below.permissions, ...above.permissions };
    const timeoutMs: TimeoutMs = { ...below.timeoutMs, ...above.timeoutMs };
    const review: ReviewSettings = { ...below.review, ...above.review };
    return {
      ...below,
      ...above,
      ...(Object.keys(permissions).length > 0 && { permissions }),
      ...(Object.keys(timeoutMs).length > 0 && { timeoutMs }),
      ...(Object.keys(review).length > 0 && { review }),
    };
  }, {});
}
