import { ProviderUnavailableError } from '@nereid/identity';
import type { Request } from 'express';
import type { Context } from '../context.ts';
import type { Actor } from './buttons.ts';

/** For whom a page has buttons; undefined for people who only look. */
export async function actorOf(
  { findVisitor, requests, csrf, logger }: Pick<Context, 'findVisitor' | 'requests' | 'csrf' | 'logger'>,
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
    logger.warn({ err: error }, 'nobody says who somebody is');
    return undefined;
  }
}
