/** Texts as wide as a terminal shows them: a character may take two columns, or none. */
import stringWidth from 'string-width';

/** Nobody sees more of a longer text on a line of a terminal; measuring costs time. */
const MEASURED = 10_000;

export function widthOf(text: string): number {
  return stringWidth(text.slice(0, MEASURED));
}

/** With spaces behind it. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** At most so wide; `…` stands for what is left out. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const { segment } of SEGMENTER.segment(text.slice(0, MEASURED))) {
    used += stringWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Lines that are at most so wide, broken between words; a word that is wider has a line of its own. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
