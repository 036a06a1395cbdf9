/**
 * Splits Terraform's language into tokens, from left to right, and looks at each character once.
 *
 * This is not a parser: it knows comments, strings with templates, heredocs and brackets, so that text inside one of them is
 * not taken for a block. What Terraform does not know either is `unknown`: the plan will say what is wrong with it.
 */
import { commentAt, heredocAt, unescaped } from './lexemes.ts';
import { endOfTemplate, heredocOf } from './template.ts';

export type HclToken =
  | { readonly kind: 'newline' | 'open-block' | 'open-list' | 'open-call' | 'close-block' | 'close-other' }
  | { readonly kind: 'equals' | 'comma' | 'unknown' }
  /** One character of an operator. */
  | { readonly kind: 'operator'; readonly text: string }
  /** Identifiers and numbers. */
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
  ...['+', '-', '*', '/', '%', '.', ':', '?', '!', '<', '>', '&', '|', '~'].map(
    (text) => [text, { kind: 'operator', text }] as const,
  ),
]);

const UNKNOWN: HclToken = { kind: 'unknown' };

const WORD = /[\p{ID_Start}_][\p{ID_Continue}-]*|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/uy;

export function* hclTokens(text: string): Generator<HclToken> {
  // A mark of the byte order, which is no part of the text.
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length) {
    const { token, end, isClosed = true } = tokenAt(text, at);
    if (token) yield token;
    if (!isClosed) yield UNKNOWN;
    at = end;
  }
}

interface Found {
  /** Undefined for comments and spaces. */
  readonly token?: HclToken;
  readonly end: number;
  readonly isClosed?: boolean;
}

function tokenAt(text: string, at: number): Found {
  const char = text[at] ?? '';
  if (SPACE.test(char)) return { end: at + 1 };
  if (char === '"') {
    const { end, isClosed } = endOfTemplate(text, at + 1, 'string');
    const raw = text.slice(at + 1, isClosed ? end - 1 : end);
    return { token: { kind: 'string', raw, text: literalOf(raw) }, end, isClosed };
  }
  const comment = commentAt(text, at);
  if (comment) return comment;
  if (text.startsWith('<<', at)) return heredocFrom(text, at);
  const single = SINGLE.get(char);
  if (single) return { token: single, end: at + 1 };
  WORD.lastIndex = at;
  const found = WORD.exec(text)?.[0];
  if (found !== undefined) return { token: { kind: 'word', text: found }, end: at + found.length };
  return { token: UNKNOWN, end: at + 1 };
}

const SPACE = /[ \t\r]/;

function heredocFrom(text: string, at: number): Found {
  const heredoc = heredocAt(text, at);
  if (heredoc === undefined) return { token: UNKNOWN, end: at + 2 };
  const { end, isClosed } = endOfTemplate(text, heredoc.end, heredocOf(heredoc.marker));
  return { token: { kind: 'heredoc', raw: text.slice(at, end) }, end, isClosed };
}

/** Longer texts name no path, and take long to normalize. */
const NORMALIZED_LIMIT = 4_096;

/** The text between the quotes, as Terraform normalizes it; undefined when it is known only once Terraform evaluates it. */
function literalOf(raw: string): string | undefined {
  if (/[$%]\{/.test(raw) || raw.length > NORMALIZED_LIMIT) return undefined;
  return unescaped(raw)?.normalize('NFC');
}
