/** The problems with which operations answer, by status. */
import { Problem } from '../problem.ts';
import { referenceTo } from './json-schemas.ts';
import type { DescribedAnswer } from './open-api.ts';

const PROBLEMS = {
  400: 'A part of the request is not understood: a filter, a time, a place in the list, or a field of the body.',
  401: 'Nobody knows who asks: log in, or send a token.',
  403: 'The person or the token may not do this, or the request comes from no page of this console.',
  404: 'There is no such thing, or none that this person may see.',
  409: 'It was judged, and nothing was done: the sentence says why.',
  413: 'The body is too large.',
  415: 'The body is neither JSON nor a form, in UTF-8.',
  422: 'The Idempotency-Key was used for another request.',
  429: 'Too much was asked within a minute, too many streams are open, or somebody at this address tried to log in very often.',
  503: 'Storage, Temporal, or whoever says who people are did not answer: try again in a moment.',
} as const;

export type ProblemStatus = keyof typeof PROBLEMS;

export function problemsOf(statuses: readonly ProblemStatus[]): Readonly<Record<string, DescribedAnswer>> {
  const content = { 'application/problem+json': { schema: referenceTo(Problem) } };
  return Object.fromEntries(statuses.map((status) => [status, { description: PROBLEMS[status], content }]));
}
