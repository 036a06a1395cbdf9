/**
 * Splits Terraform's language into tokens, from left to right, and looks at each character once.
 *
 * This is not a parser: it knows comments, strings with templates, heredocs and brackets, so that text inside one of them is
 * not taken for a block. Invalid text is skipped: the plan will say what is wrong with it.
 */
import { endOfTemplate } from './template.ts';

export type HclToken =
  | { readonly kind: 'newline' | 'open-block' | 'open-list' | 'open-call' | 'close-block' | 'close-other' }
  | { readonly kind: 'equals' | 'comma' }
  | { readonly kind: 'word'; readonly text: string }
  /** `raw` is what stands between the quotes; `text` is undefined when it is known only once Terraform evaluates it. */
  | { readonly kind: 'string'; readonly raw: string; readonly text: string | undefined }
  | { readonly kind: 'heredoc'; readonly raw: string };

const SINGLE: ReadonlyMap<string, HclToken> = new Map<string, HclToken>([
  ['\n', { kind: 'newline' }],
  ['{', { kind: 'open-block' }],
  ['}', { kind: 'close-block' }],
  ['[', { kind: 'open-list' }],
  ['(', { kind: 'open-call' }],
  [']', { kind: 'close-other' }],
  [')', { kind: 'close-other' }],
  ['=', { kind: 'equals' }],
  [',', { kind: 'comma' }],
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
      const end = endOfTemplate(text, at + 1, 'string');
      const raw = text.slice(at + 1, end - 1);
      yield { kind: 'string', raw, text: literalOf(raw) };
      at = end;
    } else if (isWordCharacter(char)) {
      const end = endOfWord(text, at);
      yield { kind: 'word', text: text.slice(at, end) };
      at = end;
    } else if (text.startsWith('<<', at)) {
      const end = endOfHeredoc(text, at);
      yield { kind: 'heredoc', raw: text.slice(at, end) };
      at = end;
    } else {
      at = endOfComment(text, at) ?? at + 1;
    }
  }
}

/** The place after the comment that begins here; undefined when none does. */
function endOfComment(text: string, at: number): number | undefined {
  if (text[at] === '#' || text.startsWith('//', at)) return indexOrEnd(text, '\n', at);
  return text.startsWith('/*', at) ? indexOrEnd(text, '*/', at + 2) + 2 : undefined;
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
