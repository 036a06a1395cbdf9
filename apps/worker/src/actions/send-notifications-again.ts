import type { Outbox } from '@nereid/storage';

/** As many as may wait for a destination. */
const LIMIT = 10_000;

/**
 * Lets what a destination refused wait again, and ends the pause before its next attempt. Returns how many wait again; undefined
 * while a worker delivers to it, which may store its state at this moment.
 */
export async function sendNotificationsAgain(
  outbox: Pick<Outbox, 'sendAgain' | 'readState' | 'writeState'>,
  destination: string,
): Promise<number | undefined> {
  const count = await outbox.sendAgain(destination, LIMIT, new Date());
  const found = await outbox.readState(destination);
  if (found === undefined) return count;
  const { failing: _failing, failingQueues: _queues, refused: _refused, ...state } = found.state;
  const written = await outbox.writeState(destination, state, found.version);
  return written === undefined ? undefined : count;
}

/** "1 refused notification waits again". */
export function describeSentAgain(count: number): string {
  if (count === 0) return 'no notification had been refused';
  return count === 1 ? '1 refused notification waits again' : `${count} refused notifications wait again`;
}
