/** The bodies of requests, and what is said of those that are not understood. */
import express from 'express';
import type { z } from 'zod';
import type { Message } from './send-message.ts';

/** A hundred names of roots, and some. */
const BODY_LIMIT = '32kb';

export const BODY_PARSERS = [
  express.json({ limit: BODY_LIMIT, strict: true }),
  express.urlencoded({ limit: BODY_LIMIT, extended: false }),
];

/** The value that a schema found in its place. */
export function foundIn({ issues: [issue] }: z.ZodError): string {
  const where = issue?.path.join('.') ?? '';
  return `${where === '' ? '' : `${where}: `}${issue?.message ?? ''}`;
}

export function badBody(found: string): Message {
  return {
    status: 400,
    title: 'Not understood',
    sentence: `Expected what the description of this operation says, found: ${found.slice(0, 300)}.`,
  };
}

/** For what the parsers refuse; undefined for other errors. */
export function messageOfBody(error: unknown): Message | undefined {
  const status = typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500;
  if (status < 400 || status >= 500) return undefined;
  return status === 413 ? TOO_LARGE : status === 415 ? NOT_JSON : badBody('the body is not JSON');
}

const TOO_LARGE: Message = { status: 413, title: 'Too large', sentence: 'Expected a body of at most 32 KB.' };
const NOT_JSON: Message = {
  status: 415,
  title: 'Not understood',
  sentence: 'Expected a body as JSON or as a form, in UTF-8.',
};
