/** The parts of Terraform's language that are alike in files and in the expressions of templates. */

/** `<<NAME` or `<<-NAME` at the end of a line, at this place. NAME is any identifier, of any length. */
export function heredocAt(text: string, at: number): { readonly marker: string; readonly end: number } | undefined {
  if (!text.startsWith('<<', at)) return undefined;
  const opening = /<<-?([\p{ID_Start}_][\p{ID_Continue}-]*)\r?\n/uy;
  opening.lastIndex = at;
  const marker = opening.exec(text)?.[1];
  return marker === undefined ? undefined : { marker, end: opening.lastIndex };
}

export interface Ending {
  /** The place behind it. */
  readonly end: number;
  /** False where the text, or the line of a string, ended first. */
  readonly isClosed: boolean;
}

/** The comment that begins here. One that is not closed hides the rest of the text. */
export function commentAt(text: string, at: number): Ending | undefined {
  if (text[at] === '#' || text.startsWith('//', at)) {
    const newline = text.indexOf('\n', at);
    return { end: newline === -1 ? text.length : newline, isClosed: true };
  }
  if (!text.startsWith('/*', at)) return undefined;
  const close = text.indexOf('*/', at + 2);
  return close === -1 ? { end: text.length, isClosed: false } : { end: close + 2, isClosed: true };
}

/** The text between quotes, as the program reads it; undefined where it refuses an escape. */
export function unescaped(text: string): string | undefined {
  if (!text.includes('\\')) return text;
  const refused: string[] = [];
  const plain = text.replaceAll(ESCAPE, (all, char: string, short?: string, long?: string) => {
    const code = short ?? long;
    const value = code === undefined ? SIMPLE.get(char) : characterOf(Number.parseInt(code, 16));
    if (value === undefined) refused.push(all);
    return value ?? all;
  });
  return refused.length === 0 ? plain : undefined;
}

const ESCAPE = /\\(u([\da-fA-F]{4})|U([\da-fA-F]{8})|[^]|$)/g;

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['"', '"'],
  ['\\', '\\'],
]);

function characterOf(code: number): string | undefined {
  return code <= 0x10_ffff ? String.fromCodePoint(code) : undefined;
}
