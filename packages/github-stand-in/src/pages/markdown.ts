import { Marked, type Tokens } from 'marked';
import { escapeHtml, Html } from './html.ts';

/**
 * Renders untrusted Markdown as GitHub shows it.
 *
 * Of HTML only a few tags survive, without attributes except `open`. Links lead to web addresses or inside the page, and
 * images, which would be fetched from elsewhere, become links.
 */
export function renderMarkdown(text: string): Html {
  return new Html(marked.parse(text, { async: false }));
}

/** The HTML that summaries use besides Markdown. */
const ALLOWED_TAG = /&#60;(\/?(?:details|summary|br|hr|sub|sup|kbd|ins|del|b|i|em|strong|code))( open)?\s*\/?&#62;/gi;

/** The first line that makes a quotation an alert. */
const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/;

const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }: Tokens.HTML | Tokens.Tag) =>
      escapeHtml(text.replaceAll(/<!--[^]*?-->/g, '')).replaceAll(ALLOWED_TAG, '<$1$2>'),
    text(token) {
      // Always escape the text: inside <pre>, marked would pass it on unescaped.
      return 'tokens' in token ? this.parser.parseInline(token.tokens) : escapeText(token.text);
    },
    blockquote({ text, tokens }) {
      const [mark, kind] = ALERT.exec(text) ?? [];
      const rest = text.slice(mark?.length ?? 0);
      if (kind === undefined || rest.trim() === '') return `<blockquote>${this.parser.parse(tokens)}</blockquote>`;
      const title = `${kind[0]}${kind.slice(1).toLowerCase()}`;
      const content = this.parser.parse(marked.lexer(rest));
      return `<div class="alert ${kind.toLowerCase()}"><p class="title">${title}</p>${content}</div>`;
    },
    link({ href, tokens }) {
      return anchor(href, this.parser.parseInline(tokens));
    },
    image: ({ href, text }) => anchor(href, escapeHtml(text === '' ? href : text)),
  },
});

/** Escapes text, but keeps the entities that are in it already. */
function escapeText(text: string): string {
  return text.replaceAll(/[<>"']|&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|\w+);)/gi, escapeHtml);
}

function anchor(href: string, content: string): string {
  const safe = /^(?:https?:\/\/|mailto:|#|\/(?!\/))/i.test(href);
  return safe ? `<a href="${escapeHtml(href)}" rel="noopener noreferrer">${content}</a>` : content;
}
