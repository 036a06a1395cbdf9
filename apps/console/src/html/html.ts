/**
 * HTML in which everything that is not written by us is text.
 *
 *   html`<p>${sentence}</p>`
 *
 * What is put in is escaped, for text and for attributes in double quotes; other HTML made this way stays HTML.
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

/** `undefined` and `false` are nothing, so that a part can be left out. */
export type Content = Html | string | number | undefined | false | readonly Content[];

export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(strings.map((string, index) => string + markupOf(contents[index])).join(''));
}

/** Characters that no page needs, and those that reorder or hide what a reviewer reads. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
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
