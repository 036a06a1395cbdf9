import type { Response } from 'express';
import type { Message } from './send-message.ts';

/** The same sentence for programs. RFC 9457. */
export function sendProblem(response: Response, { status, title, sentence }: Message): void {
  response
    .status(status)
    .type('application/problem+json')
    .send(JSON.stringify({ type: 'about:blank', title, status, detail: sentence }));
}
