/**
 * A stop in two phases. An apply may take an hour to end, and where this is the only worker, nobody else takes webhooks, presses
 * and the end of that apply meanwhile. So the host stops first, and control goes on until that end is shown.
 */
import type { Worker } from '@temporalio/worker';

/** A Temporal worker that takes tasks. */
export interface RunningWorker {
  readonly worker: Pick<Worker, 'shutdown'>;
  /** Resolves when it has stopped; rejects when it stops without being asked to. */
  readonly run: Promise<void>;
}

export interface Phases {
  readonly host: readonly RunningWorker[];
  readonly control: readonly RunningWorker[];
  /** Called in between. Never throws. */
  readonly hostStopped: () => Promise<void>;
}

export async function stopInPhases({ host, control, hostStopped }: Phases): Promise<void> {
  await stopAll(host);
  await hostStopped();
  await stopAll(control);
}

async function stopAll(workers: readonly RunningWorker[]): Promise<void> {
  for (const { worker } of workers) worker.shutdown();
  await Promise.allSettled(workers.map(({ run }) => run));
}
