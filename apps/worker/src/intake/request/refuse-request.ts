import type { RepositoryPolicy } from '@nereid/config';
import type { OperatorRequestEvent, IntakeResult, RequestEvent } from '@nereid/domain/intake';
import type { IntakeCall } from '../intake-call.ts';
import { refused } from '../results.ts';
import { subjectOfRequest } from './subject-of-request.ts';

/** `policy` is the repository's, and the sender is the person in the proof. */
export interface ProvenRequest extends RequestEvent {
  readonly policy: RepositoryPolicy;
}

/** The limit of the contract. */
const SENTENCE_LIMIT = 500;

/** The result carries the sentence to the person. */
export function refuseRequest(call: IntakeCall, { request }: ProvenRequest, whole: string): IntakeResult {
  const sentence = whole.slice(0, SENTENCE_LIMIT);
  call.userActions.refused(subjectOfRequest(request), sentence);
  return refused(sentence);
}

/** The trail cannot name it, so the log does. */
export function refuseUnknown(
  { context, delivery }: IntakeCall,
  { request: { action }, sender }: RequestEvent | OperatorRequestEvent,
): IntakeResult {
  context.logger.warn({ action, sender, delivery }, 'somebody asked for an action that this release does not know');
  return refused('control does not know what was asked for: it is of another release than the console');
}
