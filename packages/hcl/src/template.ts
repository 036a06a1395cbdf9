/** Templates of Terraform's language: text in which `${…}` and `%{…}` are expressions, which may contain strings again. */
import { commentAt, heredocAt, type Ending } from './lexemes.ts';

export interface TemplatePart {
  readonly kind: 'text' | 'expression';
  readonly text: string;
}

/** The parts of a string or heredoc, in their order. Escapes of the text stay as they are written. */
export function* templateParts(raw: string): Generator<TemplatePart> {
  let from = 0;
  let at = 0;
  while (at < raw.length) {
    if (isEscapedTemplate(raw, at)) at += 3;
    else if (isTemplate(raw, at)) {
      if (at > from) yield { kind: 'text', text: raw.slice(from, at) };
      const { end, isClosed } = endOfTemplate(raw, at + 2, 'brace');
      yield { kind: 'expression', text: raw.slice(at + 2, isClosed ? end - 1 : end) };
      at = from = end;
    } else at += 1;
  }
  if (from < raw.length) yield { kind: 'text', text: raw.slice(from) };
}

interface Heredoc {
  readonly marker: string;
  /** Whether what follows may be the marker, which stands alone on its line. */
  isAtStart: boolean;
}

type Opened = 'string' | 'brace' | Heredoc;

export function heredocOf(marker: string): Heredoc {
  return { marker, isAtStart: true };
}

/**
 * The end of the construct that is open here, with all that it contains. An expression may contain strings, heredocs and
 * comments, with brackets and quotes of their own. An unclosed string ends with its line.
 */
export function endOfTemplate(text: string, start: number, opened: Opened): Ending {
  const inside = [opened];
  let at = start;
  for (let around = inside.at(-1); around !== undefined; around = inside.at(-1)) {
    if (at >= text.length) return { end: text.length, isClosed: false };
    if (around === 'string') {
      if (/[\r\n]/.test(text[text[at] === '\\' ? at + 1 : at] ?? '')) return { end: at, isClosed: false };
      at = afterNextInString(text, at, inside);
    } else at = around === 'brace' ? afterNextInBrace(text, at, inside) : afterLine(text, at, around, inside);
  }
  return { end: at, isClosed: true };
}

function afterNextInString(text: string, at: number, inside: Opened[]): number {
  if (text[at] === '\\') return at + 2;
  if (isEscapedTemplate(text, at)) return at + 3;
  if (isTemplate(text, at)) {
    inside.push('brace');
    return at + 2;
  }
  if (text[at] === '"') inside.pop();
  return at + 1;
}

function afterNextInBrace(text: string, at: number, inside: Opened[]): number {
  const comment = commentAt(text, at);
  if (comment) return comment.end;
  const heredoc = heredocAt(text, at);
  if (heredoc) {
    inside.push(heredocOf(heredoc.marker));
    return heredoc.end;
  }
  if (text[at] === '"') inside.push('string');
  else if (text[at] === '{') inside.push('brace');
  else if (text[at] === '}') inside.pop();
  return at + 1;
}

/** The place after the rest of a line of a heredoc, or within a template on it. The newline after the marker is no part of it. */
function afterLine(text: string, start: number, heredoc: Heredoc, inside: Opened[]): number {
  let at = start;
  while (at < text.length && text[at] !== '\n' && !isTemplate(text, at)) at += isEscapedTemplate(text, at) ? 3 : 1;
  if (isTemplate(text, at)) {
    heredoc.isAtStart = false;
    inside.push('brace');
    return at + 2;
  }
  if (heredoc.isAtStart && trimmed(text.slice(start, at)) === heredoc.marker) {
    inside.pop();
    return at;
  }
  heredoc.isAtStart = true;
  return at + 1;
}

/** Without the characters that are space for Terraform, which is written in Go. */
function trimmed(text: string): string {
  return text.replaceAll('\ufeff', '.').replaceAll('\u0085', ' ').trim();
}

function isTemplate(text: string, at: number): boolean {
  return (text[at] === '$' || text[at] === '%') && text[at + 1] === '{';
}

function isEscapedTemplate(text: string, at: number): boolean {
  return text[at] === text[at + 1] && isTemplate(text, at + 1);
}
