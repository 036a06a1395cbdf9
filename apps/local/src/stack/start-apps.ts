import type { Report } from '@nereid/test-kit';
import type { Folders } from './folders.ts';
import { logFileOf, startApp, type AppName, type ProcessOptions } from './processes.ts';
import { keepRunning, type KeepOptions, type Kept, type Running } from './running/keep-running.ts';
import type { StackOptions } from './stack-options.ts';

export type ProcessName = AppName | 'temporal';

interface Starting {
  readonly keeping: Keeping;
  readonly started: AsyncDisposableStack;
  readonly report: Report;
}

/** Waits for all of them, even when one fails: an app that comes up late must be stopped too. */
export async function startApps(
  names: readonly AppName[],
  options: ProcessOptions,
  { keeping, started, report }: Starting,
): Promise<ReadonlyMap<AppName, Kept>> {
  const starts = names.map(async (name) => {
    const app = await keeping(name, (signal) => startApp(name, options, signal));
    started.defer(() => app.stop());
    report(`${name}: ready`);
    return [name, app] as const;
  });
  const failed = (await Promise.allSettled(starts)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return new Map(await Promise.all(starts));
}

/** Starts one of the processes, and starts it again as often as it may. */
type Keeping = <R extends Running>(name: ProcessName, start: KeepOptions<R>['start']) => Promise<Kept<R>>;

export function keepingOf({ report, restarts = 0, signal }: StackOptions, folders: Folders): Keeping {
  return (name, start) => keepRunning({ name, logFile: logFileOf(folders, name), restarts, report, signal, start });
}
