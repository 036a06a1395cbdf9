/** What people and programs are told of a request. */
import type { RequestAnswer } from '@nereid/api';
import { capitalised } from '@nereid/domain/words';
import type { Message } from '../platform/http/send-message.ts';
import type { Answered } from './make-request.ts';

export type Answer =
  | { readonly kind: 'answer'; readonly status: 200 | 202; readonly of: RequestAnswer }
  | { readonly kind: 'message'; readonly message: Message; readonly retryAfterS?: number };

/** Temporal is usually back by then. */
const RETRY_S = 5;

export function answerOf(answered: Answered): Answer {
  switch (answered.kind) {
    case 'done': {
      const { id, result } = answered;
      const sentence = sentenceOf(result.sentence);
      const { deployments } = result;
      const ordered = deployments && { deployments: deployments.map(({ id, rootName }) => ({ id, rootName })) };
      if (result.kind === 'signalled')
        return { kind: 'answer', status: 200, of: { id, state: 'accepted', sentence, ...ordered } };
      return { kind: 'message', message: { status: 409, title: 'Not done', sentence } };
    }
    case 'pending':
      return { kind: 'answer', status: 202, of: { id: answered.id, state: 'pending', sentence: PENDING } };
    case 'failed':
      return {
        kind: 'message',
        message: { status: 409, title: 'Not done', sentence: sentenceOf(`this failed: ${answered.why}`) },
      };
    case 'conflict':
      return { kind: 'message', message: CONFLICT };
    case 'uncertain':
      return { kind: 'answer', status: 202, of: { id: answered.id, state: 'pending', sentence: UNCERTAIN } };
    case 'unavailable':
      return { kind: 'message', message: NOT_NOW, retryAfterS: RETRY_S };
    case 'silent':
      return { kind: 'message', message: SILENT, retryAfterS: RETRY_S };
  }
}

const PENDING = 'This is under way, and goes on if you leave the page.';

const UNCERTAIN =
  'Temporal did not say in time whether it has this request: it may be under way, or it never arrived. Look in a minute; what is not there then was not done.';

/** Control's words begin as a clause, because on a check run they follow others. */
export function sentenceOf(clause: string): string {
  const whole = capitalised(clause);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

const CONFLICT: Message = {
  status: 422,
  title: 'Not done',
  sentence:
    'Something else was asked for with this Idempotency-Key before. On a page, press again; in a script, use a new key.',
};

const NOT_NOW: Message = {
  status: 503,
  title: 'Not now',
  sentence: 'Temporal does not answer, so nothing was done: try again in a moment.',
};

const SILENT: Message = {
  status: 503,
  title: 'Not now',
  sentence: 'Temporal does not answer, so nobody can say what came of this request: ask again in a moment.',
};
