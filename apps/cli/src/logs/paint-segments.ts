/** Text of a log with the colours of a terminal. The text is cleaned: the console is not the only one who keeps commands out. */
import type { LogSegment } from '@nereid/api';
import { cleanLines } from '../output/clean-text.ts';

const ATTRIBUTES: Readonly<Record<string, number>> = { bold: 1, dim: 2, italic: 3, underline: 4 };

/** "Select graphic rendition", ECMA-48, and the number that takes everything back. */
export function paintSegments(segments: readonly LogSegment[], hasColours: boolean): string {
  return segments
    .map(([text, classes]) => {
      const codes = hasColours ? classes.split(' ').flatMap(codesOf) : [];
      return codes.length === 0 ? cleanLines(text) : `\u001b[${codes.join(';')}m${cleanLines(text)}\u001b[0m`;
    })
    .join('');
}

/** 0 to 7 are the usual colours, 8 to 15 the bright ones. */
function codesOf(name: string): readonly number[] {
  const attribute = ATTRIBUTES[name];
  if (attribute !== undefined) return [attribute];
  const { place, number } = /^(?<place>[fb]g)-(?<number>\d|1[0-5])$/.exec(name)?.groups ?? {};
  if (place === undefined) return [];
  const colour = Number(number);
  return [(place === 'fg' ? 30 : 40) + (colour < 8 ? colour : 52 + colour)];
}
