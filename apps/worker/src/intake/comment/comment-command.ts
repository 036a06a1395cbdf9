/** Reads the command in the first line of a comment. Pure; the words are hostile. */
import { isLockId } from '@nereid/contracts';

export type CommentCommand =
  | { readonly kind: 'apply'; readonly rootNames: readonly string[]; readonly force: boolean }
  | { readonly kind: 'unlock' | 'cancel'; readonly rootNames: readonly string[] }
  | { readonly kind: 'plan'; readonly rootNames: readonly string[] }
  | ForceUnlockCommand
  /** `why` names the part of the line that is no command. */
  | { readonly kind: 'help'; readonly why?: string };

/** Frees one lock of Terraform's state. */
export interface ForceUnlockCommand {
  readonly kind: 'force-unlock';
  readonly rootName: string;
  /** Of the form `isLockId`. */
  readonly lockId: string;
}

/** A command to lanes. */
export type RootCommand = Exclude<CommentCommand, { kind: 'help' | 'plan' | 'force-unlock' }>;

/** The first word is our name. An unknown command is a call for help. No names: the roots that the pull request modifies. */
export function parseComment(line: string): CommentCommand {
  const [name = '', verb = 'help', ...words] = line.trim().split(/\s+/);
  const rootNames = [...new Set(words.filter((word) => !isFlag(word)))];
  const flags = words.filter(isFlag);
  const kind = verb.toLowerCase();
  switch (kind) {
    case 'apply':
    case 'unlock':
    case 'cancel': {
      const unknown = flags.find((flag) => kind !== 'apply' || flag !== FORCE);
      if (unknown !== undefined) return { kind: 'help', why: `${name} ${kind} has no flag ${unknown}` };
      return kind === 'apply' ? { kind, rootNames, force: flags.length > 0 } : { kind, rootNames };
    }
    case 'plan': {
      const [flag] = flags;
      const why = `${name} plan takes no flags such as ${flag}: they belong into var_files and steps`;
      return flag === undefined ? { kind, rootNames } : { kind: 'help', why };
    }
    case 'force-unlock':
      return parseForceUnlock(name, words);
    case 'help':
      return { kind: 'help' };
    default:
      return { kind: 'help', why: `${name} has no command ${verb}` };
  }
}

function parseForceUnlock(name: string, words: readonly string[]): CommentCommand {
  const [rootName, lockId, ...more] = words;
  const why = (found: string): CommentCommand => ({
    kind: 'help',
    why: `${name} force-unlock takes a root and the id of its lock, ${found}`,
  });
  if (rootName === undefined || isFlag(rootName)) return why('and no root is named');
  if (lockId === undefined) return why('and the id is missing: the check that met the lock names it');
  if (more.length > 0) return why('and there are more words');
  return isLockId(lockId) ? { kind: 'force-unlock', rootName, lockId } : why(`and ${lockId} is none`);
}

const FORCE = '-f';

/** No root's name begins with a dash. */
function isFlag(word: string): boolean {
  return word.startsWith('-');
}
