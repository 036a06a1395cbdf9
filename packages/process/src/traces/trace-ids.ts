/**
 * The ids of traces and spans. They are digests of what a span is about, so that all processes know them without a word between
 * them, and a span that is sent twice is the same span.
 */
import { createHash } from 'node:crypto';
import { fullName, type Repository } from '@nereid/domain/root';

/** The subject of a span. `about` is the id of a deployment; the root of a trace has none. */
export interface SpanSubject {
  readonly about?: string;
  readonly name: string;
}

/** The trace of a merge, 32 hex digits: of all deployments of one revision. */
export function traceIdOf(repository: Pick<Repository, 'owner' | 'name'>, sha: string): string {
  return digest(`trace ${fullName(repository).toLowerCase()} ${sha}`, TRACE_ID_DIGITS);
}

/** 16 hex digits. */
export function spanIdOf(traceId: string, { about = '', name }: SpanSubject): string {
  return digest(`span ${traceId} ${about} ${name}`, SPAN_ID_DIGITS);
}

/** As W3C Trace Context writes it: a program that gets it in `TRACEPARENT` adds its spans below this one. */
export function traceparentOf(traceId: string, subject: SpanSubject): string {
  return `00-${traceId}-${spanIdOf(traceId, subject)}-01`;
}

const TRACE_ID_DIGITS = 32;
const SPAN_ID_DIGITS = 16;

function digest(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
