import type { Connection } from '@temporalio/client';

/** Whether Temporal answers. Never throws. */
export type TemporalProbe = () => Promise<boolean>;

/** A probe that is slower counts as failed: load balancers ask every few seconds. */
const PROBE_MS = 2_000;

/** How long an answer is good for: many load balancers may ask at once. */
const CACHED_MS = 1_000;

export function createTemporalProbe(connection: Pick<Connection, 'withDeadline' | 'workflowService'>): TemporalProbe {
  let latest: { readonly answer: Promise<boolean>; readonly until: number } | undefined;
  return () => {
    const now = performance.now();
    if (!latest || now > latest.until) latest = { answer: ask(connection), until: now + PROBE_MS + CACHED_MS };
    const { answer } = latest;
    void answer.then(() => {
      if (latest?.answer === answer) latest = { answer, until: Math.min(latest.until, performance.now() + CACHED_MS) };
    });
    return answer;
  };
}

async function ask(connection: Pick<Connection, 'withDeadline' | 'workflowService'>): Promise<boolean> {
  try {
    await connection.withDeadline(Date.now() + PROBE_MS, () => connection.workflowService.getSystemInfo({}));
    return true;
  } catch {
    return false;
  }
}
