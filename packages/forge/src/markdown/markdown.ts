/**
 * Markdown in which foreign text stays text.
 *
 * Text from Terraform, commits and users goes through `sentence`, `code` or `fenced`, and nowhere else: a fence is longer
 * than any run of backticks inside it, control characters are removed, and one line stays one line.
 */
import { LOGIN } from '@nereid/domain/person';

/** The longest summary or text that the strictest forge takes: GitHub 65,535 characters, counted in bytes to be safe. */
export const OUTPUT_LIMIT_BYTES = 65_535;

/** Invisible characters that reorder or hide text, and control characters that no output needs. Tab and line break remain. */
const CONTROLS = /(?![\t\n])[\p{Cc}\p{Cf}]/gu;

/** Terraform's colours, and other terminal commands. */
// eslint-disable-next-line no-control-regex -- the expression looks for them
const ESCAPE_SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** One line of plain text; for titles, which are shown as they are. */
export function plain(text: string, limit: number): string {
  return cut(oneLine(text), limit);
}

/** The part of a text that people see where it is shown in one line. */
export function oneLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ').trim();
}

/** A sentence that may contain foreign names, as Markdown that shows exactly these characters. */
export function sentence(text: string): string {
  return plain(text, 1_000)
    .replace(/[\\`*_{}[\]<>#|~&!$]/g, String.raw`\$&`)
    .replace(/:\/\//g, String.raw`:\/\/`)
    .replace(/\bwww\./gi, String.raw`www\.`)
    .replace(/^[-+=]/, String.raw`\$&`)
    .replace(/^(\d+)([.)])/, String.raw`$1\$2`);
}

/** The same for a comment: an invisible character keeps names from being mentioned, and issues from being referred to. */
export function quietly(text: string): string {
  return sentence(text)
    .replace(/[@#]/g, '$&\u200b')
    .replace(/\bgh-(?=\d)/gi, '$&\u200b');
}

/** One line in a code span: no links, no mentions, no markup. */
export function code(text: string, limit = 200): string {
  const line = plain(text, limit);
  if (line === '') return '` `';
  const ticks = '`'.repeat(longestRun(line) + 1);
  const padding = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${padding}${line}${padding}${ticks}`;
}

/** Lines in a fence. `language` is ours, never foreign. */
export function fenced(lines: readonly string[], language: string): string {
  const clean = lines.map((line) => withoutControls(line).replace(/\r?\n/g, ' ').trimEnd());
  const fence = '`'.repeat(Math.max(3, longestRun(clean.join('\n')) + 1));
  return [`${fence}${language}`, ...clean, fence].join('\n');
}

/** Markdown that a click on `title` unfolds. `title` is HTML of ours, or from `htmlCode`. */
export function folded(title: string, markdown: string): string {
  return `<details><summary>${title}</summary>\n\n${markdown}\n\n</details>`;
}

/** The same as `code`, where no Markdown is read. */
export function htmlCode(text: string): string {
  return `<code>${plain(text, 200).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</code>`;
}

/** A login as people write it; any other text is shown as code. */
export function person(login: string): string {
  return LOGIN.test(login) ? `@${login}` : code(login, 60);
}

/** "2026-01-31 14:05 UTC": the same in every time zone. */
export function time(iso: string): string {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(iso);
  return match ? `${match[1] ?? ''} ${match[2] ?? ''} UTC` : code(iso, 40);
}

/** A link whose text is ours or already escaped; the address was built by us with `URL`. */
export function link(text: string, url: string): string {
  return `[${text}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

/**
 * Cuts Markdown to the limit: keeps whole lines, closes an open fence and an open fold, and ends with `notice` (Markdown of
 * ours) if something is missing.
 */
export function cutToLimit(markdown: string, notice: string, limitBytes = OUTPUT_LIMIT_BYTES): string {
  if (Buffer.byteLength(markdown) <= limitBytes) return markdown;

  const kept: string[] = [];
  let openFence = '';
  let isInFold = false;
  let bytes = Buffer.byteLength(`\n\n${notice}${FOLD_END}`);
  for (const line of markdown.split('\n')) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes + openFence.length + 1 > limitBytes) break;
    kept.push(line);
    // Within a fence, they are text.
    if (openFence === '') isInFold = foldAfter(isInFold, line);
    openFence = fenceAfter(openFence, line);
  }
  return [...kept, ...(openFence ? [openFence] : []), ...(isInFold ? [FOLD_END] : ['']), notice].join('\n');
}

/** On lines of their own, so that Markdown is read behind it. */
const FOLD_END = '\n</details>\n';

function foldAfter(isInFold: boolean, line: string): boolean {
  return line === '</details>' ? false : isInFold || line.startsWith('<details>');
}

/** The fence that is open after this line. A fence opens with its language, and only the same fence closes it. */
function fenceAfter(open: string, line: string): string {
  if (open) return line === open ? '' : open;
  return /^`{3,}/.exec(line)?.[0] ?? '';
}

function withoutControls(text: string): string {
  return text.replace(ESCAPE_SEQUENCES, '').toWellFormed().replace(CONTROLS, '');
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

/** Cuts between code points, so that no character is halved. */
function cut(text: string, limit: number): string {
  const points = Array.from(text);
  return points.length <= limit ? text : `${points.slice(0, limit - 1).join('')}…`;
}
