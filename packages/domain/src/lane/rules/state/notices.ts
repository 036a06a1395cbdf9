/**
 * Sentences at the top of a deployment's check run, for the person who just asked for something. A notice stays until the
 * deployment's next state, and long enough to be read: a person who presses a second button sees why it did nothing, even if
 * the work of the first one is done within a second.
 */
import type { Said, ShownNotice } from '../../../deployment/notice.ts';
import type { Notices } from '../../input.ts';

/** Somebody looks at the check run, and the forge's page shows changes after a few seconds. */
export const READ_WITHIN_MS = 10_000;

/** Older notices have been read, and a lane hands over all its notices to its next run. */
const NOTICES_LIMIT = 50;

/** In characters, as the contract says. */
const SENTENCE_LIMIT = 500;

export function withNotice(notices: Notices, deploymentId: string, said: Said, at: string): Notices {
  const sentence = said.sentence.slice(0, SENTENCE_LIMIT);
  const others = Object.entries(notices).filter(([id]) => id !== deploymentId);
  return Object.fromEntries([...others.slice(1 - NOTICES_LIMIT), [deploymentId, { ...said, sentence, at }]]);
}

/** The deployment has a new state: its notice stays only long enough to be read. */
export function afterState(notices: Notices, deploymentId: string, at: string): Notices {
  const notice = notices[deploymentId];
  if (notice === undefined || notice.until !== undefined) return notices;
  const until = new Date(Date.parse(notice.at) + READ_WITHIN_MS).toISOString();
  return withoutRead({ ...notices, [deploymentId]: { ...notice, until } }, at);
}

/** Removes notices that have been shown long enough. */
export function withoutRead(notices: Notices, at: string): Notices {
  return filter(notices, ([, { until }]) => until === undefined || until > at);
}

/** Keeps the notices of deployments that the lane still knows. */
export function noticesOf(notices: Notices, isKnown: (deploymentId: string) => boolean): Notices {
  return filter(notices, ([deploymentId]) => isKnown(deploymentId));
}

/** When the next notice has been shown long enough, ISO 8601; undefined when each stays until its deployment moves on. */
export function nextRead(notices: Notices): string | undefined {
  const ends = Object.values(notices).flatMap(({ until }) => (until === undefined ? [] : [until]));
  return ends.toSorted()[0];
}

function filter(notices: Notices, isKept: (entry: [string, ShownNotice]) => boolean): Notices {
  const kept = Object.entries(notices).filter(isKept);
  return kept.length === Object.keys(notices).length ? notices : Object.fromEntries(kept);
}
