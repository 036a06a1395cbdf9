/** Comments that answer comments. Markdown; foreign text stands in a fence. Pure. */
import { ACTIONS, COMMENT_ACTIONS, type CommentAction, type CommentUse } from '@nereid/domain/actions';
import { fenced } from '@nereid/forge';
import { listNames } from '../../platform/list-names.ts';

/** `why` names the part that was not understood. */
export function helpText(name: string, why?: string): string {
  return [
    ...(why === undefined ? [] : [refusalText('Nothing was done:', [why]), '']),
    'Commands, each as the first line of a comment:',
    '',
    '| Command | Does |',
    '| --- | --- |',
    ...COMMENT_ACTIONS.map((action) => commandRow(name, ACTIONS[action])),
    `| \`${name} help\` | shows this |`,
    '',
    'Without names: the roots that this pull request modifies.',
  ].join('\n');
}

function commandRow(name: string, { verb, comment }: (typeof ACTIONS)[CommentAction]): string {
  const { words, flag, help }: CommentUse = comment;
  const command = [name, verb, words === 'roots' ? '[root…]' : '<root> <lock id>', ...(flag ? [flag] : [])];
  return `| \`${command.join(' ')}\` | ${help} |`;
}

/** For a command without names. */
export const NONE_MODIFIED = 'this pull request modifies no root: name one';

/** A first line of ours, then sentences that may hold foreign names. */
export function refusalText(lead: string, sentences: readonly string[]): string {
  const lines = sentences.slice(0, LINES_LIMIT).map((sentence) => sentence.slice(0, LINE_LIMIT));
  return [lead, '', fenced(lines, 'text')].join('\n');
}

export interface NamedRoot {
  readonly name: string;
  /** Markdown of ours. */
  readonly note?: string;
}

export interface Accepted {
  /** Says in a word what happens to these roots, such as `Queued`. */
  readonly lead: string;
  readonly roots: readonly NamedRoot[];
  /** The place whose checks show the progress; default: this pull request. */
  readonly followedIn?: string;
  /** Roots that were asked for, and why nothing happens to them. */
  readonly others?: Pick<Accepted, 'lead' | 'roots'>;
}

export function acceptedText({ others, followedIn = 'this pull request', ...done }: Accepted): string {
  const left = others && others.roots.length > 0 ? ` ${listed(others)}` : '';
  return `${listed(done)}${left} Follow it in the checks of ${followedIn}.`;
}

/** Names of roots have letters, digits, `.`, `_` and `-`: only underscores need escaping, which the code spans do. */
function listed({ lead, roots }: Pick<Accepted, 'lead' | 'roots'>): string {
  return `${lead}: ${listNames(roots.map(({ name, note }) => `\`${name}\`${note === undefined ? '' : ` (${note})`}`))}.`;
}

/** Enough for a sentence that lists twenty roots. */
const LINE_LIMIT = 3_000;

/** Nobody reads more, and the forge limits the length of a comment. */
const LINES_LIMIT = 20;
