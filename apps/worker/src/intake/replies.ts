/** Comments that answer comments. Markdown; what is foreign stands in a fence. Pure. */
import { listNames } from './list-names.ts';

export function helpText(name: string): string {
  return [
    'Commands, each as the first line of a comment:',
    '',
    '| Command | Does |',
    '| --- | --- |',
    `| \`${name} apply [root…]\` | deploys this head before it is merged, and locks the lanes |`,
    `| \`${name} apply [root…] -f\` | the same without its requirements, for admins |`,
    `| \`${name} unlock [root…]\` | lets what waits in the lanes go on |`,
    `| \`${name} cancel [root…]\` | cancels what runs in the lanes |`,
    `| \`${name} help\` | shows this |`,
    '',
    'Without names: the roots that this pull request modifies.',
  ].join('\n');
}

/** A first line of ours, then sentences that may hold foreign names. */
export function refusalText(lead: string, sentences: readonly string[]): string {
  const lines = sentences.map((sentence) => sentence.replaceAll(/[`\p{Cc}\p{Cf}]/gu, ' ').slice(0, LINE_LIMIT));
  return [lead, '', '```text', ...lines.slice(0, LINES_LIMIT), '```'].join('\n');
}

export interface Accepted {
  /** What happens to these roots: `Queued`. */
  readonly lead: string;
  readonly rootNames: readonly string[];
  /** Roots that were asked for, and why nothing happens to them. */
  readonly others?: Pick<Accepted, 'lead' | 'rootNames'>;
}

export function acceptedText({ others, ...done }: Accepted, consoleUrl: string): string {
  const left = others && others.rootNames.length > 0 ? ` ${namedRoots(others)}` : '';
  return `${namedRoots(done)}${left} Follow it in the checks of this pull request or in the [console](${consoleUrl}).`;
}

/** Names of roots need no escaping but for underscores: letters, digits, `.`, `_`, `-`. */
function namedRoots({ lead, rootNames }: Pick<Accepted, 'lead' | 'rootNames'>): string {
  return `${lead}: ${listNames(rootNames.map((rootName) => `\`${rootName}\``))}.`;
}

/** A sentence that lists twenty roots. */
const LINE_LIMIT = 3_000;

/** More is read by nobody, and GitHub limits a comment. */
const LINES_LIMIT = 20;
