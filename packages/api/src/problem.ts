import { z } from 'zod';

/** Why a request failed. RFC 9457. */
export const Problem = z
  .object({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int(),
    /** A sentence for the person who asked. */
    detail: z.string(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;

/** The meaning of each status with which operations refuse. */
export const PROBLEMS = {
  400: 'A part of the request is not understood: a filter, a time, a place in the list, or a field of the body.',
  401: 'Nobody knows who asks: log in, or send a token.',
  403: 'The person or the token may not do this, or the request comes from no page of this console.',
  404: 'There is no such thing, or none that this person may see.',
  409: 'It was judged, and nothing was done: the sentence says why.',
  413: 'The body is too large.',
  415: 'The body is neither JSON nor a form, in UTF-8.',
  422: 'The Idempotency-Key was used for another request.',
  429: 'Too much was asked within a minute, too many streams are open, or somebody at this address tried to log in very often.',
  503: 'Storage, Temporal, or whoever says who people are did not answer, or the console has as many streams as it can keep: try again in a moment.',
} as const;

export type ProblemStatus = keyof typeof PROBLEMS;
