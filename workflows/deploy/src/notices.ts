/**
 * Sentences for whoever just asked for something, at the top of a deployment's check run. One stays until the deployment's
 * next state, and long enough to be read: who presses a second button sees why it did nothing, although the first one's
 * work is done within the second.
 */
import type { Notices } from '@nereid/contracts';

/** Somebody looks at the check run, and GitHub's page shows what changed after a few seconds. */
export const READ_WITHIN_MS = 10_000;

export function withNotice(notices: Notices, deploymentId: string, sentence: string, at: string): Notices {
  return { ...notices, [deploymentId]: { sentence, at } };
}

/** The deployment has a new state. */
export function afterState(notices: Notices, deploymentId: string, at: string): Notices {
  const notice = notices[deploymentId];
  if (notice === undefined || Date.parse(at) - Date.parse(notice.at) < READ_WITHIN_MS) return notices;
  const { [deploymentId]: _read, ...others } = notices;
  return others;
}

/** Of deployments that the lane still knows. */
export function noticesOf(notices: Notices, isKnown: (deploymentId: string) => boolean): Notices {
  const kept = Object.entries(notices).filter(([deploymentId]) => isKnown(deploymentId));
  return kept.length === Object.keys(notices).length ? notices : Object.fromEntries(kept);
}
