/** Comments that answer comments. Markdown; foreign text stands in a fence. Pure. */
import { listNames } from '../../platform/list-names.ts';

/** `why` names the part that was not understood. */
export function helpText(name: string, why?: string): string {
  return [
    ...(why === undefined ? [] : [refusalText('Nothing was done:', [why]), '']),
    'Commands, each as the first line of a comment:',
    '',
    '| Command | Does |',
    '| --- | --- |',
    `| \`${name} plan [root…]\` | plans again what merging this pull request would change |`,
    `| \`${name} apply [root…]\` | deploys this head before it is merged, and locks the lanes |`,
    `| \`${name} apply [root…] -f\` | the same without its requirements, for admins |`,
    `| \`${name} unlock [root…]\` | lifts the locks of the lanes, so that waiting deployments go on |`,
    `| \`${name} force-unlock <root> <lock id>\` | frees a lock that a run left on Terraform's state, for admins |`,
    `| \`${name} cancel [root…]\` | ends the deployments that run in the lanes, no matter who asked for them, and those of this pull request that wait there |`,
    `| \`${name} help\` | shows this |`,
    '',
    'Without names: the roots that this pull request modifies.',
  ].join('\n');
}

/** For a command without names. */
export const NONE_MODIFIED = 'this pull request modifies no root: name one';

/** A first line of ours, then sentences that may hold foreign names. */
export function refusalText(lead: string, sentences: readonly string[]): string {
  const lines = sentences.map((sentence) => sentence.replaceAll(/[`\p{Cc}\p{Cf}]/gu, ' ').slice(0, LINE_LIMIT));
  return [lead, '', '```text', ...lines.slice(0, LINES_LIMIT), '```'].join('\n');
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

/** Nobody reads more, and GitHub limits the length of a comment. */
const LINES_LIMIT = 20;
