/** What all pages of lists say, and how they are asked. */
import type { Request } from 'express';
import type { z } from 'zod';
import type { Message } from './send-message.ts';

export const AWAY: Message = {
  status: 503,
  title: 'Not available',
  sentence: 'Storage did not answer, so this cannot be shown. Try again in a moment.',
};

/** A thing that somebody may not see does not exist for them: the same answer as for a page that never was. */
export const NO_PAGE: Message = {
  status: 404,
  title: 'Not found',
  sentence: 'There is no such page, or this link does not open it.',
};

export const BAD_QUERY: Message = {
  status: 400,
  title: 'Not understood',
  sentence:
    'This address has an unknown filter, time, period or page. A time looks like 2026-11-22T12:00:00Z, a day like 2026-11-22. Start again without it.',
};

/** A query with every filter at its longest has half of it. */
const QUERY_LIMIT = 2_000;

/** The names of parts of a query come from anybody. */
const NAME_SHOWN = 30;

export type Query<S extends z.ZodObject> =
  { readonly kind: 'found'; readonly value: z.output<S> } | { readonly kind: 'message'; readonly message: Message };

/** The filters in the address. A part that is unknown, repeated or no such value is named. */
export function readQuery<S extends z.ZodObject>(schema: S, { query, originalUrl }: Request): Query<S> {
  const length = originalUrl.length - originalUrl.indexOf('?') - 1;
  if (originalUrl.includes('?') && length > QUERY_LIMIT)
    return refused(`The query of this address has ${length} characters; at most ${QUERY_LIMIT} are allowed.`);
  const given = withoutEmpty(query);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(schema.shape, name));
  if (unknown !== undefined) return refused(`There is no filter “${unknown.slice(0, NAME_SHOWN)}”.`);
  const read = schema.safeParse(given);
  if (read.success) return { kind: 'found', value: read.data };
  const name = read.error.issues[0]?.path.join('.') ?? '';
  return refused(Array.isArray(given[name]) ? `“${name}” is given more than once.` : `“${name}” is not understood.`);
}

/** A form sends its empty fields too. */
export function withoutEmpty(query: Request['query']): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

function refused(why: string): { readonly kind: 'message'; readonly message: Message } {
  return { kind: 'message', message: { ...BAD_QUERY, sentence: `${why} ${BAD_QUERY.sentence}` } };
}
