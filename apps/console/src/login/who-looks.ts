import { ProviderUnavailableError } from '@nereid/identity';
import type { Request } from 'express';
import type { Context } from '../context.ts';
import { whoIs, type Who } from '../html/who.ts';

/** Who looks at a page; undefined where there is nothing to say of that, or nobody who says it. */
export async function whoLooks(
  { findVisitor, csrf, login, access }: Pick<Context, 'findVisitor' | 'csrf' | 'login' | 'access'>,
  request: Request,
): Promise<Who | undefined> {
  try {
    const visitor = await findVisitor(request);
    const word = visitor.kind === 'person' && login !== undefined ? csrf.tokenFor(visitor) : undefined;
    return whoIs({ visitor, csrf: word, canLogIn: access.kind === 'login' });
  } catch (error) {
    // The page itself says so, or is one that a link opens.
    if (error instanceof ProviderUnavailableError) return undefined;
    throw error;
  }
}
