/** What verbs that change something have in common. */
import type { RequestAnswer } from '@nereid/api';
import type { Call } from '../../call.ts';
import type { Answer } from '../../client/client.ts';

/** Control answers within seconds, unless no worker runs. */
export const ANSWER_MS = 120_000;

/** The console may have the request, or may never have been reached. */
export const GOES_ON =
  'what you asked for may be carried out all the same, and nereid lane or nereid activity shows whether it was';

/** Prints what Nereid says of a request. */
export function showAnswer(call: Call, { json, value }: Answer<RequestAnswer>): void {
  call.json(json);
  call.screen.line(value.sentence);
}
