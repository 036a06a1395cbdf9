/** A sentence for the person who just asked for something, at the top of a check run's summary. */
import { cutToLimit, sentence } from './markdown.ts';

/** Returns Markdown. The sentence may contain foreign names. */
export function renderNotice(text: string): string {
  return `> [!WARNING]\n> ${sentence(text)}`;
}

/** A warning that a person has to read before they press a button. */
export function renderWarning(text: string): string {
  return `> [!CAUTION]\n> ${sentence(text)}`;
}

/** The summary with this notice at the top, in place of an earlier one. */
export function withNotice(summary: string, text: string): string {
  const rest = summary.replace(EARLIER, '');
  return cutToLimit(rest === '' ? renderNotice(text) : `${renderNotice(text)}\n\n${rest}`, '_The rest is too long._');
}

/** A notice as `renderNotice` writes it: two lines, because a sentence takes one. */
const EARLIER = /^> \[!WARNING\]\n> [^\n]*(?:\n\n|$)/;
