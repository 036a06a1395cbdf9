/** What the first line of a comment asks for. Pure; the words are hostile. */

export type CommentCommand =
  | { readonly kind: 'apply'; readonly rootNames: readonly string[]; readonly force: boolean }
  | { readonly kind: 'unlock' | 'cancel'; readonly rootNames: readonly string[] }
  | { readonly kind: 'plan' | 'help' };

/** A command to lanes. */
export type RootCommand = Exclude<CommentCommand, { kind: 'help' | 'plan' }>;

/** The first word is our name. What is no command is a call for help. No names: the roots that the pull request modifies. */
export function parseComment(line: string): CommentCommand {
  const [, verb = 'help', ...words] = line.trim().split(/\s+/);
  const rootNames = [...new Set(words.filter((word) => !isFlag(word)))];
  const flags = words.filter(isFlag);
  switch (verb.toLowerCase()) {
    case 'apply':
      return flags.every((flag) => flag === FORCE) ? { kind: 'apply', rootNames, force: flags.length > 0 } : HELP;
    case 'unlock':
      return flags.length === 0 ? { kind: 'unlock', rootNames } : HELP;
    case 'cancel':
      return flags.length === 0 ? { kind: 'cancel', rootNames } : HELP;
    case 'plan':
      return { kind: 'plan' };
    default:
      return HELP;
  }
}

const FORCE = '-f';
const HELP = { kind: 'help' } as const;

/** No root's name begins with a dash. */
function isFlag(word: string): boolean {
  return word.startsWith('-');
}
