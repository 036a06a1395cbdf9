/**
 * Sentences for whoever just asked for something, at the top of a deployment's check run. One stays until the deployment's
 * next state, and long enough to be read: who presses a second button sees why it did nothing, although the first one's
 * work is done within the second.
 */
import type { Notices, ShownNotice } from '@nereid/contracts';

/** Somebody looks at the check run, and GitHub's page shows what changed after a few seconds. */
export const READ_WITHIN_MS = 10_000;

/** Whoever asked before them has read theirs, and a lane is carried on whole. */
const NOTICES_LIMIT = 50;

/** Characters: what the contract allows. */
const SENTENCE_LIMIT = 500;

export function withNotice(notices: Notices, deploymentId: string, whole: string, at: string): Notices {
  const sentence = whole.slice(0, SENTENCE_LIMIT);
  const others = Object.entries(notices).filter(([id]) => id !== deploymentId);
  return Object.fromEntries([...others.slice(1 - NOTICES_LIMIT), [deploymentId, { sentence, at }]]);
}

/** The deployment has a new state. */
export function afterState(notices: Notices, deploymentId: string, at: string): Notices {
  const notice = notices[deploymentId];
  if (notice === undefined || notice.until !== undefined) return notices;
  const until = new Date(Date.parse(notice.at) + READ_WITHIN_MS).toISOString();
  return withoutRead({ ...notices, [deploymentId]: { ...notice, until } }, at);
}

/** Those that nobody needs to read any more are gone. */
export function withoutRead(notices: Notices, at: string): Notices {
  return filter(notices, ([, { until }]) => until === undefined || until > at);
}

/** Of deployments that the lane still knows. */
export function noticesOf(notices: Notices, isKnown: (deploymentId: string) => boolean): Notices {
  return filter(notices, ([deploymentId]) => isKnown(deploymentId));
}

/** When the next of them has been read, ISO 8601; undefined: each stays until its deployment moves on. */
export function nextRead(notices: Notices): string | undefined {
  const ends = Object.values(notices).flatMap(({ until }) => (until === undefined ? [] : [until]));
  return ends.toSorted()[0];
}

function filter(notices: Notices, isKept: (entry: [string, ShownNotice]) => boolean): Notices {
  const kept = Object.entries(notices).filter(isKept);
  return kept.length === Object.keys(notices).length ? notices : Object.fromEntries(kept);
}
