import type { IntakeEvent } from '@nereid/domain/intake';

/** The meaning of a webhook to us, judged by its payload alone. */
export type Verdict =
  | { readonly kind: 'accept'; readonly event: IntakeEvent }
  | { readonly kind: 'ignore'; readonly reason: string }
  /** A field that the event needs is missing or has the wrong type. */
  | { readonly kind: 'invalid'; readonly problem: string };

/** The facts that we know before a payload is read. */
export interface EventFilter {
  /** Our App on GitHub: other Apps have check runs too. */
  readonly appId: number;
  /** The words with which comments that are addressed to us begin. */
  readonly commentNames: readonly string[];
  /** The bots whose comments are commands; the comments of others are not. */
  readonly commandBots?: readonly string[];
  /** Whether pull requests into any branch are planned. */
  readonly planAllBases?: boolean;
  /** Whether jobs of the repository may wait for us. */
  readonly isProtected?: boolean;
  /** The branch that is deployed; absent: the repository's default branch. */
  readonly branch?: string | undefined;
}

export type ReadEvent = (payload: unknown, filter: EventFilter) => Verdict;

export function accept(event: IntakeEvent): Verdict {
  return { kind: 'accept', event };
}

export function ignore(reason: string): Verdict {
  return { kind: 'ignore', reason };
}
