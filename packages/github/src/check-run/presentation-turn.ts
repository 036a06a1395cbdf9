/** What a presentation of a deployment asks of GitHub, before it is begun: how urgent it is and how many points it takes. */
import type { CheckRunRef } from '@nereid/contracts';
import type { CheckRunContent } from './content.ts';
import type { Conversation, Priority } from '../client/limits/background.ts';
import { READ_POINTS, WRITE_POINTS } from '../client/limits/points.ts';

interface Wanted {
  readonly creationUncertain: boolean;
  readonly superseded: CheckRunContent | undefined;
  readonly priority: Priority | undefined;
}

/** The turn in which a check run is written, and with it those that it supersedes. */
export function turnOf(
  content: CheckRunContent,
  refs: readonly CheckRunRef[],
  { creationUncertain, superseded, priority = priorityOf(content, refs) }: Wanted,
): Pick<Conversation, 'key' | 'priority' | 'restPoints' | 'againPoints'> {
  const last = refs.at(-1);
  const isNew = last === undefined || goesOnAfter(last, content);
  const earlier = isNew ? refs : refs.slice(0, -1);
  const restPoints = superseded === undefined ? 0 : earlier.filter(isShown).length * WRITE_POINTS;
  // A create comes back with a look: nobody knows by then that it was not sent.
  const lookPoints = isNew || creationUncertain ? READ_POINTS : 0;
  return { key: content.externalId, priority, restPoints, againPoints: lookPoints + WRITE_POINTS + restPoints };
}

/** Work goes on after a completed check run: in a new one. */
export function goesOnAfter({ completed }: CheckRunRef, { status }: CheckRunContent): boolean {
  return completed && status !== 'completed';
}

/** As it was, with its buttons. */
export function isShown({ superseded }: CheckRunRef): boolean {
  return superseded !== true;
}

/** Ends and buttons are what GitHub calls completed. */
function priorityOf({ status }: CheckRunContent, refs: readonly CheckRunRef[]): Priority {
  if (status === 'completed') return 'final';
  return refs.length === 0 ? 'first' : 'progress';
}
