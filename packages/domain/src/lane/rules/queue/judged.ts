/**
 * Judged requests, with their answers. A request that comes again, by a retry, a redelivery or a reset, gets the same answer:
 * if it were judged again, a refused unlock would lift a lock that was set since.
 */
import type { Judged } from '../../record.ts';

/** Far more than people press for one root while a delivery may be repeated or unanswered; small enough to be carried along. */
export const JUDGED_LIMIT = 500;

export function judgedAnswer(judged: readonly Judged[], requestId: string): Judged['answer'] | undefined {
  return judged.find((known) => known.requestId === requestId)?.answer;
}

export function rememberAnswer(
  judged: readonly Judged[],
  requestId: string,
  answer: Judged['answer'],
): readonly Judged[] {
  return [...judged, { requestId, answer }].slice(-JUDGED_LIMIT);
}
