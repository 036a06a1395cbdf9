import { Context } from '@temporalio/activity';

/** A quarter of the shortest heartbeat timeout of the workflows. */
const HEARTBEAT_MS = 5_000;

/**
 * Sends heartbeats while the activity runs: their absence tells Temporal that the worker is gone. `describe`: what somebody who
 * looks at the waiting activity should see.
 */
export async function withHeartbeats<T>(act: () => Promise<T>, describe?: () => unknown): Promise<T> {
  const activity = Context.current();
  const heartbeats = setInterval(() => activity.heartbeat(describe?.()), HEARTBEAT_MS);
  try {
    return await act();
  } finally {
    clearInterval(heartbeats);
  }
}
