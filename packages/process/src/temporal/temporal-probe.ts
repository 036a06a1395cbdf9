import type { Connection } from '@temporalio/client';

/** Whether Temporal answers. Never throws. */
export type TemporalProbe = () => Promise<boolean>;

/** A slower probe counts as failed: load balancers ask every few seconds. */
const PROBE_MS = 2_000;

/** How long an answer is reused, for all callers. */
const CACHED_MS = 1_000;

type Asked = Pick<Connection, 'withDeadline' | 'workflowService'>;

/** Makes one call to Temporal at a time, however many callers ask. */
export function createTemporalProbe(connection: Asked, deadlineMs = PROBE_MS): TemporalProbe {
  let asking: Promise<boolean> | undefined;
  let answer: { readonly isReachable: boolean; readonly at: number } | undefined;
  return () => {
    if (answer && performance.now() - answer.at < CACHED_MS) return Promise.resolve(answer.isReachable);
    asking ??= ask(connection, deadlineMs).then((isReachable) => {
      answer = { isReachable, at: performance.now() };
      asking = undefined;
      return isReachable;
    });
    return asking;
  };
}

async function ask(connection: Asked, deadlineMs: number): Promise<boolean> {
  try {
    await connection.withDeadline(Date.now() + deadlineMs, () => connection.workflowService.getSystemInfo({}));
    return true;
  } catch {
    return false;
  }
}
