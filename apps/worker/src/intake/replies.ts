/** Comments that answer comments. Markdown; what is foreign stands in a fence. Pure. */

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

/** Names of roots need no escaping but for underscores: letters, digits, `.`, `_`, `-`. */
export function acceptedText(lead: string, rootNames: readonly string[], consoleUrl: string): string {
  const named = rootNames.slice(0, LINES_LIMIT).map((rootName) => `\`${rootName}\``);
  const more = rootNames.length > LINES_LIMIT ? ` and ${rootNames.length - LINES_LIMIT} more` : '';
  return `${lead}: ${named.join(', ')}${more}. Follow it in the checks of this pull request or in the [console](${consoleUrl}).`;
}

/** A sentence that lists twenty roots. */
const LINE_LIMIT = 3_000;

/** More is read by nobody, and GitHub limits a comment. */
const LINES_LIMIT = 20;
