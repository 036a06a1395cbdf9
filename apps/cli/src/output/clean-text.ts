/**
 * Titles, names and logs come from anybody who can push. What moves the cursor, changes the terminal or turns the direction of
 * text around is shown as `�`, so that it neither acts nor hides.
 */

// eslint-disable-next-line no-control-regex -- the pattern looks for control characters
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Marks, embeddings, overrides and isolates of direction; separators of lines. Letters that are read from the right stay. */
const DIRECTIONS = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const SHOWN = '\ufffd';

/** One line. */
export function cleanText(text: string): string {
  return cleanLines(text.replace(/\r\n|[\n\t]/g, ' '));
}

/** Line breaks and tabs stay. */
export function cleanLines(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROLS, SHOWN).replace(DIRECTIONS, SHOWN);
}

/** Means the same as the value, and shows nothing of it to a terminal that the terminal would obey. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)
    .replace(/[\u007f-\u009f]/g, escaped)
    .replace(DIRECTIONS, escaped)}\n`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
