/** The result of a replay, a line each, for an operator and for the log of a Job. */
import type { Break, Replayed, Unread } from './replay-open.ts';

export interface Described {
  /** Whether it is known of every open workflow that it replays. */
  readonly isFit: boolean;
  readonly lines: readonly string[];
}

/** A release that breaks all lanes breaks all of them alike: the first ones show how. */
const LISTED = 200;

export function describeReplay({ count, broken, unread, isCutShort }: Replayed): Described {
  const lines = [
    ...broken.slice(0, LISTED).map(lineOfBreak),
    ...(broken.length > LISTED ? [`and ${broken.length - LISTED} more would break`] : []),
    ...unread.slice(0, LISTED).map(lineOfUnread),
    ...(unread.length > LISTED ? [`and ${unread.length - LISTED} more could not be fetched`] : []),
    ...(isCutShort ? ['time ran out before the last open workflow: repeat with a longer --within'] : []),
    `${count} open workflows replayed: ${broken.length} would break, ${unread.length} could not be fetched`,
  ];
  return { isFit: broken.length + unread.length === 0 && !isCutShort, lines };
}

function lineOfBreak({ workflowId, runId, type, event, what }: Break): string {
  const where = event === undefined ? 'at an event that is not known' : `at event ${event.id}, ${event.type}`;
  return `would break: ${workflowId} (${type}, run ${runId}) ${where}: ${what}`;
}

function lineOfUnread({ workflowId, runId, type, why }: Unread): string {
  return `could not be fetched: ${workflowId} (${type}, run ${runId}): ${why}`;
}
