import type { SpanSubject } from '@nereid/process';

/** A span that is over: none is ever open, so a deployment that waits for days costs nothing. */
export interface EndedSpan {
  readonly traceId: string;
  readonly subject: SpanSubject;
  /** Undefined of the first span of a trace. */
  readonly parent?: SpanSubject;
  /** In epoch milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly hasFailed?: boolean;
}

/** The first span of a trace. */
export const MERGE: SpanSubject = { name: 'merge' };
