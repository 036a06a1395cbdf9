import type { Response } from 'express';
import { html } from './html.ts';
import { page } from './page.ts';

export interface Message {
  readonly status: number;
  readonly title: string;
  readonly sentence: string;
}

/** Answers with a page that says one thing. */
export function sendMessage(response: Response, { status, title, sentence }: Message): void {
  const body = html`<header><h1>${title}</h1></header>
    <main><p class="card">${sentence}</p></main>`;
  response.status(status).send(page(title, body, toTop(response.req.originalUrl)).markup);
}

/** From an address to the console's top: `../` for each of its folders. Relative, so that a proxy may add a prefix. */
function toTop(url: string): string {
  const [path = ''] = url.split('?');
  return '../'.repeat(Math.max(0, path.split('/').length - 2));
}
