/**
 * Colours and other commands to a terminal, with 256 parameters at most, and the beginning of those that are not whole. The characters
 * that may follow one another differ, so that the time is proportional to the text, however hostile it is: with Node's
 * `stripVTControlCharacters`, a megabyte can take minutes.
 */
const ESCAPES =
  // eslint-disable-next-line no-control-regex -- the expression looks for them
  /(?:\u001b\[|\u009b)[0-?]{0,256}[ -/]{0,256}[@-~]|\u001b\][^\u0007\u001b\n]{0,256}(?:\u0007|\u001b\\)|\u001b[ -/]{0,256}[0-~]/g;

/** The text without commands to a terminal. Other control characters stay. */
export function withoutEscapes(text: string): string {
  return text.replace(ESCAPES, '');
}
