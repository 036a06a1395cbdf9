/** Whether somebody may read what no link opens, and as whom. */
import { ProviderUnavailableError } from '@nereid/identity';
import type { Request } from 'express';
import { ANONYMOUS, unauthorised } from '../login/visitor/unauthorised.ts';
import type { KnownVisitor, Visitor, VisitorFinder } from '../login/visitor/visitor.ts';
import type { Access } from '../platform/config/config.ts';
import type { Message } from '../platform/http/send-message.ts';

/** Their repositories decide which pages exist for them. */
export type Reader = KnownVisitor | Extract<Visitor, { readonly kind: 'local' }>;

export type Reading = { readonly kind: 'reader'; readonly reader: Reader } | Refusal;

export interface Refusal {
  readonly kind: 'refused';
  readonly message: Message;
  readonly retryAfterS?: number;
  /** Somebody in a browser may log in, and then try again. */
  readonly leadsToLogin?: true;
}

export interface ReadingSources extends VisitorFinder {
  readonly access: Access;
}

/** A provider that was away is usually back by then. */
const RETRY_S = 5;

export async function readingOf({ access, findVisitor, logger }: ReadingSources, request: Request): Promise<Reading> {
  try {
    const visitor = await findVisitor(request);
    switch (visitor.kind) {
      case 'local':
        return { kind: 'reader', reader: visitor };
      case 'person':
        return asReader(visitor);
      case 'refused':
        return { kind: 'refused', message: unauthorised(visitor.why), ...(visitor.by === 'browser' && TO_LOGIN) };
      case 'anonymous':
        return access.kind === 'login'
          ? { kind: 'refused', message: ANONYMOUS, ...TO_LOGIN }
          : { kind: 'refused', message: NOTHING_SHOWN };
    }
  } catch (error) {
    if (!(error instanceof ProviderUnavailableError)) throw error;
    logger.warn({ err: error }, 'nobody can say who a person is');
    return { kind: 'refused', message: UNAVAILABLE, retryAfterS: RETRY_S };
  }
}

const TO_LOGIN = { leadsToLogin: true } as const;

function asReader(visitor: KnownVisitor): Reading {
  const { token } = visitor.person;
  if (token === undefined || token.scopes.includes('read')) return { kind: 'reader', reader: visitor };
  const sentence = `The token ${token.name} has no scope "read".`;
  return { kind: 'refused', message: { status: 403, title: 'Not allowed', sentence } };
}

export const UNAVAILABLE: Message = {
  status: 503,
  title: 'Not now',
  sentence: 'The login provider does not answer. Pages with a key in their link still open. Try again in a moment.',
};

/** The same for every page, where nobody can log in. */
export const NOTHING_SHOWN: Message = {
  status: 404,
  title: 'Not found',
  sentence: 'There is no such page here. Lists of everything are shown to people who are logged in.',
};
