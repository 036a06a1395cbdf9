/** What all pages of lists say, and how they are asked. */
import type { Request } from 'express';
import type { Message } from './send-message.ts';

export const AWAY: Message = {
  status: 503,
  title: 'Not available',
  sentence: 'Storage did not answer, so this cannot be shown. Try again in a moment.',
};

export const BAD_QUERY: Message = {
  status: 400,
  title: 'Not understood',
  sentence:
    'This address has an unknown filter, time, period or page. A time looks like 2026-11-22T12:00:00Z. Start again without it.',
};

/** A form sends its empty fields too. */
export function withoutEmpty(query: Request['query']): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}
