/** What one request of a login from a terminal ends with. */
import { defined } from '@nereid/domain/defined';
import type { Message } from '../../platform/http/send-message.ts';
import { unauthorised } from '../visitor/unauthorised.ts';

export type Step =
  | { readonly kind: 'answer'; readonly of: object }
  | { readonly kind: 'message'; readonly message: Message; readonly retryAfterS?: number };

export function answerOf(of: object): Step {
  return { kind: 'answer', of };
}

export function messageOf(message: Message, retryAfterS?: number): Step {
  return { kind: 'message', message, ...defined({ retryAfterS }) };
}

/** `why` is a clause for the person. */
export function notLoggedIn(why: string): Step {
  return messageOf({ status: 409, title: 'Not logged in', sentence: `The login did not succeed: ${why}.` });
}

export function tooMany(waitS: number): Step {
  return messageOf(TOO_MANY, waitS);
}

export function unavailable(provider: string): Step {
  const sentence = `${provider} does not answer, so nobody can log in or out at the moment: try again.`;
  return messageOf({ status: 503, title: 'Not now', sentence }, RETRY_S);
}

/** A provider that was away is usually back by then. */
const RETRY_S = 5;

/** Also where a login of a browser is, whose pages log it out. */
export const NO_SESSION = messageOf(
  unauthorised('this is about the login from a terminal, and the request has none as "Authorization: Bearer"'),
);

export const NO_LOGIN = messageOf({
  status: 404,
  title: 'Not found',
  sentence: 'This console has no login from a terminal: operators make tokens for it, with nereid token.',
});

const TOO_MANY: Message = {
  status: 429,
  title: 'Too many requests',
  sentence: 'Too many attempts to log in came from here: wait a little.',
};
