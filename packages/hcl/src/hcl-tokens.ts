/**
 * Splits Terraform's language into tokens, from left to right, and looks at each character once.
 *
 * This is not a parser: it knows comments, strings with templates, heredocs and brackets, so that text inside one of them is
 * not taken for a block. Invalid text is skipped: the plan will say what is wrong with it.
 */
export type HclToken =
  | { readonly kind: 'newline' | 'open-block' | 'open-other' | 'close-block' | 'close-other' | 'equals' }
  | { readonly kind: 'word'; readonly text: string }
  /** `text` is undefined when it is known only once Terraform evaluates it. */
  | { readonly kind: 'string'; readonly text: string | undefined };

const SINGLE: ReadonlyMap<string, HclToken> = new Map<string, HclToken>([
  ['\n', { kind: 'newline' }],
  ['{', { kind: 'open-block' }],
  ['}', { kind: 'close-block' }],
  ['[', { kind: 'open-other' }],
  ['(', { kind: 'open-other' }],
  [']', { kind: 'close-other' }],
  [')', { kind: 'close-other' }],
  ['=', { kind: 'equals' }],
]);

export function* hclTokens(text: string): Generator<HclToken> {
  let at = 0;
  while (at < text.length) {
    const char = text[at] ?? '';
    const single = SINGLE.get(char);
    if (single) {
      yield single;
      at += 1;
    } else if (char === '"') {
      const end = endOfString(text, at);
      yield { kind: 'string', text: literalOf(text.slice(at + 1, end - 1)) };
      at = end;
    } else if (isWordCharacter(char)) {
      const end = endOfWord(text, at);
      yield { kind: 'word', text: text.slice(at, end) };
      at = end;
    } else {
      at = endOfHidden(text, at) ?? at + 1;
    }
  }
}

/** The place after the comment or heredoc that begins here; undefined when none does. */
function endOfHidden(text: string, at: number): number | undefined {
  if (text[at] === '#' || text.startsWith('//', at)) return indexOrEnd(text, '\n', at);
  if (text.startsWith('/*', at)) return indexOrEnd(text, '*/', at + 2) + 2;
  return text.startsWith('<<', at) ? endOfHeredoc(text, at) : undefined;
}

/**
 * The place after the closing quote. `${` and `%{` open an expression, which may contain braces and strings again. An unclosed
 * string ends with its line.
 */
function endOfString(text: string, start: number): number {
  const inside: ('string' | 'brace')[] = ['string'];
  let at = start + 1;
  while (at < text.length) {
    const char = text[at];
    if (inside.at(-1) === 'string') {
      if (char === '\n') return at;
      if (char === '\\') at += 1;
      else if (char === '"') inside.pop();
      else if (isEscapedTemplate(text, at)) at += 2;
      else if (isTemplate(text, at)) {
        inside.push('brace');
        at += 1;
      }
    } else if (char === '"') inside.push('string');
    else if (char === '{') inside.push('brace');
    else if (char === '}') inside.pop();
    at += 1;
    if (inside.length === 0) return at;
  }
  return text.length;
}

/** The text between the quotes; undefined when it is known only once Terraform evaluates it. */
function literalOf(raw: string): string | undefined {
  if (/[$%]\{/.test(raw)) return undefined;
  return raw.replaceAll(/\\(["\\])/g, '$1');
}

/** `<<NAME` or `<<-NAME`, up to a line that is NAME alone. Without a name after it, `<<` is skipped. */
function endOfHeredoc(text: string, start: number): number {
  const opening = /<<-?([\w-]{1,200})[^\S\n]*\n/y;
  opening.lastIndex = start;
  const match = opening.exec(text);
  const name = match?.[1];
  if (name === undefined) return start + 2;
  let at = opening.lastIndex;
  while (at < text.length) {
    const lineEnd = indexOrEnd(text, '\n', at);
    if (text.slice(at, lineEnd).trim() === name) return lineEnd;
    at = lineEnd + 1;
  }
  return text.length;
}

function isTemplate(text: string, at: number): boolean {
  return (text[at] === '$' || text[at] === '%') && text[at + 1] === '{';
}

function isEscapedTemplate(text: string, at: number): boolean {
  return text[at] === text[at + 1] && isTemplate(text, at + 1);
}

function isWordCharacter(char: string): boolean {
  return /[\w-]/.test(char);
}

function endOfWord(text: string, start: number): number {
  const word = /[\w-]+/y;
  word.lastIndex = start;
  word.exec(text);
  return word.lastIndex;
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found === -1 ? text.length : found;
}
