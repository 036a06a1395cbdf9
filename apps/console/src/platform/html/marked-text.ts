import { html, type Content } from './html.ts';

/** A text of ours that was written for the forge, whose Markdown has code and strong words, and nothing else. */
export function markedText(markdown: string): Content {
  return markdown
    .replaceAll('**', '')
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}
