/**
 * HTML in which everything that we did not write ourselves is text.
 *
 *   html`<p>${sentence}</p>`
 *
 * Interpolated values are escaped, for text and for attributes in double quotes; an `Html` value stays HTML.
 */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }

  toString(): string {
    return this.markup;
  }
}

/** `undefined` and `false` render as nothing, so that a part can be left out. */
export type Content = Html | string | number | undefined | false | readonly Content[];

export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(strings.map((string, index) => string + markupOf(contents[index])).join(''));
}

/** Characters that no page needs, and characters that reorder or hide the text that a reviewer reads. */
// eslint-disable-next-line no-control-regex -- the pattern looks for control characters
const INVISIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(INVISIBLE, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function markupOf(content: Content): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Html) return content.markup;
  if (typeof content === 'string' || typeof content === 'number') return escapeHtml(String(content));
  return content.map(markupOf).join('');
}
