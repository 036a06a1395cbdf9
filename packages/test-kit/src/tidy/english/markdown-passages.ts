import { type Passage, plainText } from './passage.ts';

/** The paragraphs, items and cells of a page; headings are no sentences, and code is no English. */
export function markdownPassages(markdown: string): readonly Passage[] {
  const lines = withoutCode(markdown).split('\n');
  const cells = lines.filter(isRow).flatMap(cellsOf);
  const paragraphs = lines
    .map((line) => (isRow(line) || isBreak(line) ? '' : line.replace(/^\s*(>|:::.*$)\s?/, '')))
    .map((line) => line.replace(/^\s*([-*]|\d+\.) /, '\n'))
    .join('\n')
    .split(/\n\s*\n/);
  return [
    ...cells.map((text) => ({ kind: 'cell', text }) as const),
    ...paragraphs.map((text) => ({ kind: 'paragraph', text: plainText(text) }) as const),
  ].filter(({ text }) => text !== '');
}

/** Without the settings at the top of a page, and without blocks of code. */
function withoutCode(markdown: string): string {
  return markdown.replace(/^---\n[\s\S]*?\n---\n/, '').replaceAll(/^( *)(```+)[\s\S]*?^ *\2 *$/gm, '');
}

function isRow(line: string): boolean {
  return line.trimStart().startsWith('|');
}

function isBreak(line: string): boolean {
  return /^\s*#+ /.test(line);
}

function cellsOf(row: string): readonly string[] {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .filter((cell) => !/^[\s:-]*$/.test(cell))
    .map(plainText);
}
