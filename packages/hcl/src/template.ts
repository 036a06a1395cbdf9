/** Templates of Terraform's language: text in which `${…}` and `%{…}` are expressions, which may contain strings again. */

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
      const end = endOfTemplate(raw, at + 2, 'brace');
      yield { kind: 'expression', text: raw.slice(at + 2, end - 1) };
      at = from = end;
    } else at += 1;
  }
  if (from < raw.length) yield { kind: 'text', text: raw.slice(from) };
}

type Opened = 'string' | 'brace';

/** The place after the end of what is open here. An unclosed string ends with its line. */
export function endOfTemplate(text: string, start: number, opened: Opened): number {
  const inside: Opened[] = [opened];
  let at = start;
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

function isTemplate(text: string, at: number): boolean {
  return (text[at] === '$' || text[at] === '%') && text[at + 1] === '{';
}

function isEscapedTemplate(text: string, at: number): boolean {
  return text[at] === text[at + 1] && isTemplate(text, at + 1);
}
