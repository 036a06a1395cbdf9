/** The words of a digest: a headline, and a paragraph for each notification. */
import { topicWords, type Notification } from '@nereid/domain/notification';
import { linksOf, sentenceOf, titleOf } from './texts.ts';

/** More would not be read in one message. */
const SHOWN_LIMIT = 100;

/** "Nereid: 2 failed, 1 waits for a review" */
export function digestSubject(notifications: readonly Notification[]): string {
  const counts = Map.groupBy(notifications, ({ type }) => type);
  return `Nereid: ${[...counts].map(([type, { length }]) => `${length} ${topicWords(type, length)}`).join(', ')}`;
}

/** Those that come first are shown. */
export function digestText(notifications: readonly Notification[]): string {
  const shown = notifications.slice(0, SHOWN_LIMIT).map(paragraphOf);
  const more = notifications.length - shown.length;
  return [...shown, ...(more > 0 ? [`And ${more} more, which the console shows.`] : [])].join('\n\n');
}

function paragraphOf(notification: Notification): string {
  const links = linksOf(notification).map(({ label, url }) => `${label}: ${url}`);
  return [titleOf(notification), sentenceOf(notification), ...links].join('\n');
}
