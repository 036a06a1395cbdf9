import { oneLine } from '@nereid/github';

/** Addresses have a letter or a digit before their `@`, or credentials that were taken out. */
const MENTION = /(?<![a-z\d]|:\/\/\*\*\*)@/i;

/** Whether a text names a person, as a check run shows it. */
export function mentionsSomebody(text: string): boolean {
  return MENTION.test(oneLine(text));
}

/** For what becomes a reason: it comes back through Temporal, where no signature goes with it. */
export function withoutMentions(text: string): string {
  return text.replaceAll('@', '');
}
