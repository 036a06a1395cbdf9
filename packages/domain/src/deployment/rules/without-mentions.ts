/**
 * An `@` that the forge could take for the beginning of a login. Addresses have a letter or a digit before it, or credentials that
 * were taken out.
 */
const MENTION = /(?<![a-z\d]|:\/\/\*\*\*)@/gi;

/**
 * For words from outside that become a reason, such as an error that quotes a path. They come back through Temporal without a
 * signature, and a reason that mentions somebody counts as forged: anybody could have said it.
 */
export function withoutMentions(text: string): string {
  return text.replaceAll(MENTION, '');
}
