/** The check run of a merge that takes roots away: nothing destroys their resources, and nothing plans them any more. */
import { REMOVED_CHECK_RUN_NAME } from '@nereid/domain/deployment';
import { cutToLimit, plain, type CheckRunContent } from '@nereid/forge';
import { removedSentence } from '../pull-request/pull-request-table.ts';

export interface RemovedRoots {
  readonly headSha: string;
  /** Hostile. */
  readonly rootNames: readonly string[];
  /** The configuration before could not be read, so that there may be others. */
  readonly isUnsure: boolean;
}

const UNSURE =
  'The configuration of the commit before cannot be read, so nobody knows whether this commit takes roots away. Compare its roots with those that the console shows.';

/** Neutral: the revision is deployed all the same. */
export function renderRemovedRoots({ headSha, rootNames, isUnsure }: RemovedRoots): CheckRunContent {
  const lines = rootNames.map((name) => `- ${removedSentence(plain(name, 100))}`);
  const summary = [lines.join('\n'), isUnsure ? UNSURE : ''].filter((part) => part !== '').join('\n\n');
  return {
    name: REMOVED_CHECK_RUN_NAME,
    headSha,
    externalId: '',
    status: 'completed',
    conclusion: 'neutral',
    title: titleOf(rootNames.length),
    summary: cutToLimit(summary, '_There are more roots._'),
    actions: [],
  };
}

function titleOf(count: number): string {
  if (count === 0) return 'Roots may have been removed; their resources remain';
  return count === 1
    ? '1 root was removed; its resources remain'
    : `${count} roots were removed; their resources remain`;
}
