import { oneLine } from '@nereid/forge';

/** Addresses have a letter or a digit before their `@`, or credentials that were taken out. */
const MENTION = /(?<![a-z\d]|:\/\/\*\*\*)@/i;

/** Whether a text names a person, as a check run shows it. */
export function mentionsSomebody(text: string): boolean {
  return MENTION.test(oneLine(text));
}
