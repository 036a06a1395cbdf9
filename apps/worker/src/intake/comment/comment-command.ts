/** Reads the command in the first line of a comment. Pure; the words are hostile. */
import { ACTIONS, COMMENT_ACTIONS, type ActionRow, type ActionsWith, type CommentAction } from '@nereid/domain/actions';
import { isLockId } from '@nereid/domain/host';

export type CommentCommand =
  | RootCommand
  | ForceUnlockCommand
  /** `why` names the part of the line that is no command. */
  | { readonly kind: 'help'; readonly why?: string };

/** No names: the roots that the pull request modifies. */
export interface RootCommand {
  readonly kind: 'roots';
  readonly action: ActionsWith<{ readonly comment: { readonly words: 'roots' } }>;
  readonly rootNames: readonly string[];
}

/** A command to lanes. */
export interface LaneCommand extends RootCommand {
  readonly action: Exclude<RootCommand['action'], 'plan'>;
}

/** Frees one lock of Terraform's state. */
export interface ForceUnlockCommand {
  readonly kind: 'root-and-lock';
  readonly action: 'force_unlock';
  readonly rootName: string;
  /** Of the form `isLockId`. */
  readonly lockId: string;
}

/** The first word is our name. An unknown command is a call for help. */
export function parseComment(line: string): CommentCommand {
  const [name = '', verb = 'help', ...words] = line.trim().split(/\s+/);
  const asked = verb.toLowerCase();
  const actions = COMMENT_ACTIONS.filter((action) => ACTIONS[action].verb === asked);
  const [first] = actions;
  if (first === undefined) return asked === 'help' ? { kind: 'help' } : help(`${name} has no command ${verb}`);
  return ACTIONS[first].comment.words === 'root-and-lock'
    ? parseForceUnlock(name, words)
    : parseRoots(`${name} ${asked}`, actions, words);
}

function parseRoots(command: string, actions: readonly CommentAction[], words: readonly string[]): CommentCommand {
  const flags = words.filter(isFlag);
  const flagOf = (action: CommentAction) => (ACTIONS[action] as ActionRow).comment?.flag;
  const unknown = flags.find((flag) => actions.every((action) => flagOf(action) !== flag));
  if (unknown !== undefined) return help(`${command} has no flag ${unknown}${hintOf(actions)}`);
  const action = actions.find((one) => flagOf(one) === flags[0]) as RootCommand['action']; // Each verb has one without a flag.
  return { kind: 'roots', action, rootNames: [...new Set(words.filter((word) => !isFlag(word)))] };
}

function hintOf([first]: readonly CommentAction[]): string {
  const hint = first && (ACTIONS[first] as ActionRow).comment?.insteadOfFlags;
  return hint === undefined ? '' : `: ${hint}`;
}

function parseForceUnlock(name: string, words: readonly string[]): CommentCommand {
  const [rootName, lockId, ...more] = words;
  const why = (found: string) => help(`${name} force-unlock takes a root and the id of its lock, ${found}`);
  if (rootName === undefined || isFlag(rootName)) return why('and no root is named');
  if (lockId === undefined) return why('and the id is missing: the check that met the lock names it');
  if (more.length > 0) return why('and there are more words');
  if (!isLockId(lockId)) return why(`and ${lockId} is none`);
  return { kind: 'root-and-lock', action: 'force_unlock', rootName, lockId };
}

function help(why: string): CommentCommand {
  return { kind: 'help', why };
}

/** No root's name begins with a dash. */
function isFlag(word: string): boolean {
  return word.startsWith('-');
}
