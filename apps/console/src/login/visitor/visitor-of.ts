import { ProviderUnavailableError } from '@nereid/identity';
import type { Request } from 'express';
import type { Visitor, VisitorFinder } from './visitor.ts';

/** For pages that are there whether or not anybody can say who somebody is. */
export async function visitorOf(
  { findVisitor, logger }: VisitorFinder,
  request: Request,
): Promise<Visitor | { readonly kind: 'unavailable' }> {
  try {
    return await findVisitor(request);
  } catch (error) {
    if (!(error instanceof ProviderUnavailableError)) throw error;
    logger.warn({ err: error }, 'nobody can say who a person is');
    return { kind: 'unavailable' };
  }
}
