/** Tables and blocks as Prettier writes them, so that a page that is generated stays as it is when all files are formatted. */

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map(cell));
  const widths = head.map((_title, column) => Math.max(3, ...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [first = [], ...others] = all;
  return [line(first), rule, ...others.map(line)].join('\n');
}

export function codeBlock(text: string, language: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** Ends with one line break, as a file does. */
export function page(...blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`;
}

/** The page with the table in the place of that with the same head. Throws if it has none. */
export function withTable(text: string, fresh: string): string {
  const isReplaced = (old: string) => headOf(old) === headOf(fresh);
  if (!Array.from(text.matchAll(TABLES)).some(([old]) => isReplaced(old)))
    throw new Error(`expected the page to have a table with the head ${headOf(fresh)}, found none; add its head`);
  return text.replaceAll(TABLES, (old) => (isReplaced(old) ? fresh : old));
}

/** A head, a rule, and any rows. */
const TABLES = /^\|.*\n\|[ |-]*\|(?:\n\|.*)*$/gm;

function headOf(text: string): string {
  const [first = ''] = text.split('\n', 1);
  return first.replaceAll(/ +/g, ' ');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
