import { html, type Html } from './html.ts';

/** A moment: exact here, relative as soon as the page's script runs, exact again on hover, in the reader's zone. */
export function when(iso: string): Html {
  const exact = exactly(iso);
  return html`<time datetime="${iso}" title="${exact}">${exact}</time>`;
}

/** `2026-11-22 12:00:00 UTC`. */
export function exactly(iso: string): string {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})/.exec(iso);
  return match ? `${match[1] ?? ''} ${match[2] ?? ''} UTC` : iso;
}
