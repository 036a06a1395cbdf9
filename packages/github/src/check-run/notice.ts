/** A sentence for whoever just asked for something, at the top of a check run's summary. */
import { cutToLimit, sentence } from './markdown.ts';

/** Markdown. The sentence may hold names from outside. */
export function renderNotice(text: string): string {
  return `> [!WARNING]\n> ${sentence(text)}`;
}

/** What a person has to know before they press. */
export function renderWarning(text: string): string {
  return `> [!CAUTION]\n> ${sentence(text)}`;
}

/** The summary with this notice on top, in the place of an earlier one. */
export function withNotice(summary: string, text: string): string {
  const rest = summary.replace(EARLIER, '');
  return cutToLimit(rest === '' ? renderNotice(text) : `${renderNotice(text)}\n\n${rest}`, '_The rest is too long._');
}

/** As `renderNotice` writes it: two lines, because a sentence is one. */
const EARLIER = /^> \[!WARNING\]\n> [^\n]*(?:\n\n|$)/;
