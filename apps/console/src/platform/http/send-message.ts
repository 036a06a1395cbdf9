import type { Response } from 'express';
import { html } from '../html/html.ts';
import { page } from '../html/page.ts';

export interface Message {
  readonly status: number;
  readonly title: string;
  readonly sentence: string;
}

/** Sends a page that consists of one sentence. */
export function sendMessage(response: Response, { status, title, sentence }: Message): void {
  const body = html`<header><h1>${title}</h1></header>
    <main><p class="card">${sentence}</p></main>`;
  response.status(status).send(page(title, body, toTopOf(response.req.originalUrl)).markup);
}

/** The path from an address to the console's top: one `../` per folder. Relative, so that a proxy may add a prefix. */
export function toTopOf(url: string): string {
  const [path = ''] = url.split('?');
  return '../'.repeat(Math.max(0, path.split('/').length - 2));
}
