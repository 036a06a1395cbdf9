/** Keeps a process running: when it ends by itself, that is reported and it is started again, but not for ever. */
import { describeEnding, type Ending, type Report } from '@nereid/test-kit';

export interface KeepOptions<R extends Running = Running> {
  readonly name: string;
  readonly logFile: string;
  /** How often it may be started again within a minute. */
  readonly restarts: number;
  /** Ends the first start. */
  readonly signal?: AbortSignal | undefined;
  readonly report: Report;
  readonly start: (signal: AbortSignal | undefined) => Promise<R>;
}

export interface Running {
  readonly ended: Promise<Ending>;
  stop(): Promise<void>;
  /** SIGKILL at once. */
  kill(): Promise<void>;
}

export interface Kept<R extends Running = Running> {
  readonly first: R;
  /** Rejects when the process has ended for good although nobody stopped it. Never resolves. */
  readonly broken: Promise<never>;
  /** Kills the process as if it had died by itself: it is started again as often as `restarts` allows. */
  kill(): Promise<void>;
  /** Stops the process gracefully, as an upgrade does, and resolves when it is ready again. */
  restart(): Promise<void>;
  /** Kills the process as if its machine had died: it stays away until `letUp` is called. */
  holdDown(): Promise<void>;
  /** Resolves when the process is ready again. */
  letUp(): Promise<void>;
  stop(): Promise<void>;
}

/** A process of the stack ended by itself, too often to start it again. */
export class ProcessEndedError extends Error {
  override readonly name = 'ProcessEndedError';
  readonly code = 'PROCESS_ENDED';
  readonly logFile: string;

  constructor({ name, logFile, restarts }: Pick<KeepOptions, 'name' | 'logFile' | 'restarts'>, ending: Ending) {
    const often =
      restarts === 0 ? '' : `, after ${restarts} ${restarts === 1 ? 'restart' : 'restarts'} within a minute`;
    super(`${name} ${describeEnding(ending)}${often}; its log is ${logFile}`);
    this.logFile = logFile;
  }
}

const MINUTE_MS = 60_000;

/** Starts the process and resolves when it is ready. Throws the error of the first start. */
export async function keepRunning<R extends Running>(options: KeepOptions<R>): Promise<Kept<R>> {
  const { name, logFile, restarts, report, start } = options;
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const broken = Promise.withResolvers<never>();
  // Nobody has to wait for this promise, so its rejection must not count as unhandled.
  broken.promise.catch(() => undefined);
  const first = await start(options.signal);
  let running = first;
  let held: PromiseWithResolvers<undefined> | undefined;
  let next = Promise.withResolvers<undefined>();
  const readyAgain = () => Promise.race([next.promise, broken.promise]);
  const watching = watch().catch(broken.reject);

  return {
    first,
    broken: broken.promise,
    kill: () => running.kill(),
    async restart() {
      next = Promise.withResolvers();
      await running.stop();
      await readyAgain();
    },
    async holdDown() {
      held = Promise.withResolvers();
      await running.kill();
    },
    async letUp() {
      next = Promise.withResolvers();
      held?.resolve(undefined);
      held = undefined;
      await readyAgain();
    },
    async stop() {
      stopping.abort();
      held?.resolve(undefined);
      await running.stop();
      await watching;
    },
  };

  async function watch(): Promise<void> {
    const startedAt: number[] = [];
    for (;;) {
      const ending = await running.ended;
      await held?.promise;
      if (isStopping()) return;
      const lately = startedAt.filter((at) => at > performance.now() - MINUTE_MS).length;
      if (lately >= restarts) throw new ProcessEndedError(options, ending);

      report(`✗ ${name} ${describeEnding(ending)}; its log is ${logFile}`);
      report(`${name}: starting it again (${lately + 1} of at most ${restarts} times within a minute)`);
      startedAt.push(performance.now());
      running = await start(stopping.signal);
      // The process may have become ready at the very moment of the stop.
      if (isStopping()) await running.stop();
      else report(`${name}: ready again`);
      next.resolve(undefined);
    }
  }
}
