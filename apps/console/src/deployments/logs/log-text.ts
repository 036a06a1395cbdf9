/**
 * A job's log as text with colours.
 *
 * Terraform's colours are kept as class names; every other terminal command is dropped. Bytes come in pieces that may end
 * anywhere: an incomplete character or sequence waits for the next piece.
 */

/** Text and its classes, separated by spaces; the classes of plain text are the empty string. */
export type Segment = readonly [text: string, classes: string];

export interface LogText {
  /** Returns the text of the next piece. */
  add(bytes: Uint8Array): readonly Segment[];
}

/**
 * A sequence longer than this is not an escape sequence, and must not swallow the log. The writer of the log may make it as long
 * as they like, so nothing here looks further, or takes longer than the text is long.
 */
const SEQUENCE_LIMIT = 256;

/** SGR sequences set colours; other sequences and stray control characters are dropped. */
const SEQUENCES =
  // eslint-disable-next-line no-control-regex -- the pattern looks for control characters
  /\u001b\[(?<sgr>[\d;:]{0,256})m|\u001b\[[0-?]{0,256}[ -/]{0,256}[@-~]|\u001b\][^\u0007\u001b]{0,256}(?:\u0007|\u001b\\)|\u001b[ -/]{0,256}[0-~]|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** The beginning of a sequence, or of a line break of two characters, that may end in the next piece. */
// eslint-disable-next-line no-control-regex -- the pattern looks for control characters
const UNFINISHED = /(?:\u001b(?:\[[0-?]*[ -/]*|\][^\u0007\u001b]*\u001b?|[ -/]*)?|\r)$/;

export function createLogText(): LogText {
  const decoder = new TextDecoder();
  let style = PLAIN;
  let unfinished = '';

  return {
    add(bytes) {
      const text = unfinished + decoder.decode(bytes, { stream: true });
      unfinished = UNFINISHED.exec(text.slice(-SEQUENCE_LIMIT - 1))?.[0] ?? '';
      if (unfinished.length > SEQUENCE_LIMIT) unfinished = '';

      const segments: Segment[] = [];
      const show = (part: string): void => {
        if (part !== '') segments.push([part.replace(/\r\n?/g, '\n'), classesOf(style)]);
      };
      const complete = text.slice(0, text.length - unfinished.length);
      let from = 0;
      for (const match of complete.matchAll(SEQUENCES)) {
        show(complete.slice(from, match.index));
        from = match.index + match[0].length;
        if (match.groups?.['sgr'] !== undefined) style = styleAfter(style, match.groups['sgr']);
      }
      show(complete.slice(from));
      return segments;
    },
  };
}

interface Style {
  readonly attributes: ReadonlySet<string>;
  /** 0–7, and 8–15 for the bright ones. */
  readonly foreground: number | undefined;
  readonly background: number | undefined;
}

const PLAIN: Style = { attributes: new Set(), foreground: undefined, background: undefined };

function classesOf({ attributes, foreground, background }: Style): string {
  return [
    ...attributes,
    ...(foreground === undefined ? [] : [`fg-${foreground}`]),
    ...(background === undefined ? [] : [`bg-${background}`]),
  ].join(' ');
}

/** "Select graphic rendition", ECMA-48: a list of numbers, each of which changes something. */
function styleAfter(style: Style, sgr: string): Style {
  const codes = sgr.split(/[;:]/).map(Number);
  let next = style;
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      next = withExtendedColour(next, code, codes.slice(index + 1));
      // `5;n` is one of 256 colours, `2;r;g;b` is any colour; we show the first 16 of the 256.
      index += codes[index + 1] === 2 ? 4 : 2;
    } else {
      next = styleWith(next, code);
    }
  }
  return next;
}

const ATTRIBUTES: ReadonlyMap<number, string> = new Map([
  [1, 'bold'],
  [2, 'dim'],
  [3, 'italic'],
  [4, 'underline'],
]);

function styleWith(style: Style, code: number): Style {
  const attribute = ATTRIBUTES.get(code);
  if (attribute !== undefined) return { ...style, attributes: new Set([...style.attributes, attribute]) };
  if (code === 0) return PLAIN;
  if (code === 22) return without(style, 'bold', 'dim');
  if (code === 23) return without(style, 'italic');
  if (code === 24) return without(style, 'underline');
  if (code === 39) return { ...style, foreground: undefined };
  if (code === 49) return { ...style, background: undefined };
  return withColour(style, code);
}

function withColour(style: Style, code: number): Style {
  const colour = code % 10;
  if (colour > 7) return style;
  const tens = Math.floor(code / 10);
  if (tens === 3) return { ...style, foreground: colour };
  if (tens === 9) return { ...style, foreground: colour + 8 };
  if (tens === 4) return { ...style, background: colour };
  return tens === 10 ? { ...style, background: colour + 8 } : style;
}

function withExtendedColour(style: Style, code: 38 | 48, [kind, colour]: readonly number[]): Style {
  if (kind !== 5 || colour === undefined || colour > 15) return style;
  return code === 38 ? { ...style, foreground: colour } : { ...style, background: colour };
}

function without(style: Style, ...names: readonly string[]): Style {
  return { ...style, attributes: new Set([...style.attributes].filter((attribute) => !names.includes(attribute))) };
}
