/**
 * What people read: lines with colours where there is a terminal. Everything is cleaned here, and nowhere else, so nothing reaches a
 * terminal as it came.
 */
import { styleText } from 'node:util';
import { cleanText } from './clean-text.ts';
import { cut, padded, widthOf, wrapped } from './width.ts';

/** Texts may be hostile. `icon`: before the text, for people who look at a terminal in colours; scripts read the text alone. */
export type Piece = string | { readonly text: string; readonly style: Style; readonly icon?: string };

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan';

export interface Column {
  readonly title: string;
  /** The column gives way when the lines are wider than the terminal, and the last one goes altogether; one of a table may. */
  readonly isFlexible?: true;
  /** Where it gives way, its texts go on in further lines instead of being cut, and it never goes altogether. */
  readonly wraps?: true;
}

export interface Screen {
  /** A line, whatever its length. */
  line(...pieces: readonly Piece[]): void;
  /** Broken between words where the terminal ends, each line behind so many spaces. */
  paragraph(text: string, indent?: number): void;
  /** Aligned; without rows, nothing. */
  table(columns: readonly Column[], rows: readonly (readonly Piece[])[]): void;
}

export interface ScreenOptions {
  readonly write: (text: string) => unknown;
  readonly hasColours: boolean;
  /** In characters; undefined where nobody reads on a terminal: then lines have any length. */
  readonly width: number | undefined;
}

const GAP = '  ';

/** Less of a text says nothing. */
const LEAST_FLEXIBLE = 12;

export function createScreen({ write, hasColours, width }: ScreenOptions): Screen {
  const paint = (text: string, style: Style | undefined) =>
    hasColours && style !== undefined && text !== '' ? styleText(style, text, { validateStream: false }) : text;
  const textOf = (piece: Piece) => {
    if (typeof piece === 'string') return piece;
    return hasColours && piece.icon !== undefined ? `${piece.icon} ${piece.text}` : piece.text;
  };
  const line = (...pieces: readonly Piece[]) => {
    write(`${pieces.map((piece) => paint(cleanText(textOf(piece)), styleOf(piece))).join('')}\n`);
  };

  function rowOf(columns: readonly Column[], cells: readonly Piece[], widths: readonly number[]): void {
    const texts = cells.map((cell, index) => {
      const [text, width] = [cleanText(textOf(cell)), widths[index] ?? Infinity];
      return columns[index]?.wraps === true ? wrapped(text, width) : [cut(text, width)];
    });
    const height = Math.max(...texts.map((lines) => lines.length));
    for (let row = 0; row < height; row += 1) {
      const parts = cells.map((cell, index) => partOf(cell, texts[index]?.[row] ?? '', widths[index]));
      write(`${parts.join(GAP).trimEnd()}\n`);
    }
  }

  function partOf(cell: Piece, text: string, width = 0): string {
    return `${paint(text, styleOf(cell))}${padded('', width - widthOf(text))}`;
  }

  return {
    line,
    paragraph(text, indent = 0) {
      const space = ' '.repeat(indent);
      const room = width === undefined ? Infinity : Math.max(LEAST_FLEXIBLE, width - indent);
      for (const each of wrapped(cleanText(text), room)) write(`${space}${each}\n`);
    },
    table(columns, rows) {
      if (rows.length === 0) return;
      const titles = columns.map(({ title }): Piece => ({ text: title, style: 'dim' }));
      const widths = widthsOf(
        columns,
        [titles, ...rows].map((row) => row.map(textOf)),
        width,
      );
      for (const cells of [titles, ...rows]) rowOf(columns, cells.slice(0, widths.length), widths);
    },
  };
}

function widthsOf(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): readonly number[] {
  const natural = columns.map((_, index) => Math.max(...rows.map((row) => widthOf(cleanText(row[index] ?? '')))));
  const total = natural.reduce((sum, one) => sum + one, 0) + GAP.length * (columns.length - 1);
  const tooWide = width === undefined ? 0 : Math.max(0, total - width);
  const fitting = natural.map((one, index) => (columns[index]?.isFlexible === true ? one - tooWide : one));
  const last = columns.at(-1);
  const mayGo = tooWide > 0 && last?.isFlexible === true && last.wraps !== true;
  if (mayGo && (fitting.at(-1) ?? 0) < LEAST_FLEXIBLE) return natural.slice(0, -1);
  return fitting.map((one, index) => Math.max(columns[index]?.wraps === true ? LEAST_FLEXIBLE : 1, one));
}

function styleOf(piece: Piece): Style | undefined {
  return typeof piece === 'string' ? undefined : piece.style;
}
