/** The priority and the points of a presentation, known before it begins. */
import type { CheckRunRef } from '@nereid/domain/deployment';
import type { CheckRunContent, Priority } from '@nereid/forge';
import type { Conversation } from '../client/limits/background.ts';
import { READ_POINTS, WRITE_POINTS } from '../client/limits/points.ts';

interface Wanted {
  readonly creationUncertain: boolean;
  readonly superseded: CheckRunContent | undefined;
  readonly priority: Priority | undefined;
}

/** The turn in which a check run is written, together with the check runs that it supersedes. */
export function presentationTurn(
  content: CheckRunContent,
  refs: readonly CheckRunRef[],
  { creationUncertain, superseded, priority = priorityOf(content, refs) }: Wanted,
): Pick<Conversation, 'key' | 'priority' | 'restPoints' | 'againPoints'> {
  const last = refs.at(-1);
  const isNew = last === undefined || goesOnAfter(last, content);
  const earlier = isNew ? refs : refs.slice(0, -1);
  const restPoints = superseded === undefined ? 0 : earlier.filter(isShown).length * WRITE_POINTS;
  // A create that comes back looks first: its caller cannot know that it was not sent.
  const lookPoints = isNew || creationUncertain ? READ_POINTS : 0;
  return { key: content.externalId, priority, restPoints, againPoints: lookPoints + WRITE_POINTS + restPoints };
}

/** Work that goes on after a completed check run needs a new one. */
export function goesOnAfter({ completed }: CheckRunRef, { status }: CheckRunContent): boolean {
  return completed && status !== 'completed';
}

/** Whether GitHub still shows the check run with its own content and buttons. */
export function isShown({ superseded }: CheckRunRef): boolean {
  return superseded !== true;
}

/** A check run is completed when its deployment has ended or when it has buttons. */
function priorityOf({ status }: CheckRunContent, refs: readonly CheckRunRef[]): Priority {
  if (status === 'completed') return 'final';
  return refs.length === 0 ? 'first' : 'progress';
}
