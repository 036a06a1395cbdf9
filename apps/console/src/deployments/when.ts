import { html, type Html } from '../html/html.ts';

/** A moment: exact here, relative as soon as the page's script runs, exact again on hover. */
export function when(iso: string): Html {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})/.exec(iso);
  const exact = match ? `${match[1] ?? ''} ${match[2] ?? ''} UTC` : iso;
  return html`<time datetime="${iso}" title="${exact}">${exact}</time>`;
}
