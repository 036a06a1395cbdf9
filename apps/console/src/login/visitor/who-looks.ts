import { defined } from '@nereid/domain/defined';
import { ProviderUnavailableError } from '@nereid/identity';
import type { Request } from 'express';
import type { Access } from '../../platform/config/config.ts';
import type { Who } from '../../platform/html/who.ts';
import type { Csrf } from './csrf.ts';
import type { FindVisitor, Visitor } from './visitor.ts';

export interface WhoSources {
  readonly findVisitor: FindVisitor;
  readonly csrf: Csrf;
  /** Undefined where nobody has a session, so that nobody logs out. */
  readonly login: object | undefined;
  readonly access: Access;
}

/** Who looks at a page; undefined where there is nothing to say of that, or nobody who says it. */
export async function whoLooks(
  { findVisitor, csrf, login, access }: WhoSources,
  request: Request,
): Promise<Who | undefined> {
  try {
    const visitor = await findVisitor(request);
    const word = visitor.kind === 'person' && login !== undefined ? csrf.tokenFor(visitor) : undefined;
    return whoIs(visitor, { csrf: word, canLogIn: access.kind === 'login' });
  } catch (error) {
    // The page itself says so, or is one that a link opens.
    if (error instanceof ProviderUnavailableError) return undefined;
    throw error;
  }
}

interface Here {
  /** Undefined where nobody logs out here. */
  readonly csrf: string | undefined;
  readonly canLogIn: boolean;
}

function whoIs(visitor: Visitor, { csrf, canLogIn }: Here): Who | undefined {
  if (visitor.kind === 'local') return { kind: 'reading' };
  if (visitor.kind !== 'person') return canLogIn ? { kind: 'anonymous' } : undefined;
  if (visitor.by !== 'browser') return undefined;
  const { login } = visitor.person;
  if (visitor.proof.mode === 'local') return { kind: 'local', login };
  return { kind: 'person', login, ...defined({ csrf }) };
}
