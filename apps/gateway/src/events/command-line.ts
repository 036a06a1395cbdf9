/** The line of a comment that may be a command. Pure; the words are hostile. */

/** Enough for a command that names some dozens of roots. */
const LINE_LIMIT = 500;

/**
 * The first line that is not blank, without the spaces around it and the `@` of a mention. Where people format a command, as code or in bold, it counts only
 * if the comment has nothing else: whoever writes about a command does not give it.
 */
export function commandLineOf(body: string): string {
  const text = body.trim();
  const whole = insideFence(text) ?? insideMarks(text) ?? text;
  const [line = ''] = whole.trim().split(LINE_END, 1);
  // An answer that repeats a mention would notify a person who has our name as a login.
  return line.slice(0, LINE_LIMIT).trim().replace(/^@/, '');
}

/** Case does not matter: phones begin a sentence with a capital letter. */
export function isAddressedTo(names: readonly string[], line: string): boolean {
  const [first = ''] = line.split(/\s/, 1);
  return names.some((name) => first.toLowerCase() === name.toLowerCase());
}

const LINE_END = /\r\n|\r|\n/;

/** A fenced block of code that has one line; undefined for any other text. */
function insideFence(text: string): string | undefined {
  const [opening = '', ...lines] = text.split(LINE_END, FENCED_LIMIT);
  const fence = /^(?<fence>`{3,}|~{3,})[ \t]*[\w-]*[ \t]*$/.exec(opening)?.groups?.['fence'];
  if (fence === undefined) return undefined;
  const [line, closing, ...more] = lines.map((each) => each.trim()).filter((each) => each !== '');
  return closing === fence && more.length === 0 ? line : undefined;
}

/** The fences, a command, and blank lines about it. A longer text has something else. */
const FENCED_LIMIT = 10;

/** What the whole text has in backticks or in bold; undefined for any other text. */
function insideMarks(text: string): string | undefined {
  return /^(?<mark>`{1,3}|\*\*|__)(?<inside>[^`*\r\n]+)\k<mark>$/.exec(text)?.groups?.['inside'];
}
