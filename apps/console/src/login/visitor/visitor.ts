/** Who sent a request to the console. */
import type { LoginProof } from '@nereid/domain/intake';
import type { Identity } from '@nereid/identity';
import type { Request } from 'express';
import type { Logger } from 'pino';

export type Visitor =
  /** May open what a link opens. */
  | { readonly kind: 'anonymous' }
  /** On the console's own machine, where nobody has a name: reads everything, and does nothing. */
  | { readonly kind: 'local' }
  | KnownVisitor
  /** They showed something that does not count: a sentence says why. */
  | { readonly kind: 'refused'; readonly why: string; readonly by: 'browser' | 'header' };

export interface KnownVisitor {
  readonly kind: 'person';
  readonly person: Identity;
  /** Goes to control, sealed, with what they ask for. */
  readonly proof: LoginProof;
  /** How they came: a browser sends its cookies with requests that other sites make, so those need our own token as well. */
  readonly by: 'browser' | 'header';
  /** The id of their session; absent where there are none. */
  readonly session?: string;
}

/** Throws a `ProviderUnavailableError` when nobody can say who it is. */
export type FindVisitor = (request: Request) => Promise<Visitor>;

/** For those who go on when nobody can say it. */
export interface VisitorFinder {
  readonly findVisitor: FindVisitor;
  readonly logger: Pick<Logger, 'warn'>;
}
