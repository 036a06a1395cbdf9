import { ProviderUnavailableError } from '@nereid/identity';
import type { Request } from 'express';
import type { Csrf } from './csrf.ts';
import type { VisitorFinder } from './visitor.ts';

/** The person who looks at the page, and may press something on it. */
export interface Actor {
  /** GitHub login. */
  readonly login: string;
  /** Shows that a press came from our own page. */
  readonly csrf: string;
}

export interface ActorSources extends VisitorFinder {
  readonly csrf: Csrf;
  /** What people ask for goes there. Undefined where the console only reads. */
  readonly requests: object | undefined;
}

/** For whom a page has buttons; undefined for people who only look. */
export async function actorOf(
  { findVisitor, requests, csrf, logger }: ActorSources,
  request: Request,
): Promise<Actor | undefined> {
  // This console only reads.
  if (requests === undefined) return undefined;
  try {
    const visitor = await findVisitor(request);
    if (visitor.kind !== 'person' || visitor.by !== 'browser') return undefined;
    return { login: visitor.person.login, csrf: csrf.tokenFor(visitor) };
  } catch (error) {
    if (!(error instanceof ProviderUnavailableError)) throw error;
    // The page is there all the same; its buttons come back with the provider.
    logger.warn({ err: error }, 'nobody can say who a person is');
    return undefined;
  }
}
