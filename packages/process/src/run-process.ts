import { ConfigurationError } from '@nereid/config';
import type { Logger } from 'pino';

/** A process at work. */
export interface RunningProcess {
  readonly logger: Logger;
  /** Answers why, if it stops working although nobody asked it to. */
  readonly broken?: Promise<unknown>;
  /** Finishes what is in flight, and lets go of everything. */
  close(): Promise<void>;
}

/** What a process exits with when its configuration is wrong; 1 is for what went wrong while it ran. */
const MISCONFIGURED = 2;

/**
 * The life of a process. One that is wrongly configured prints every problem, without a stack trace, and exits 2. It closes on
 * the first SIGTERM or SIGINT, or once it is open, and exits 0; a second signal ends it as the system does. One that breaks
 * exits 1, for its supervisor to start another.
 */
export async function runProcess(open: () => Promise<RunningProcess>): Promise<void> {
  const told = toldToStop();
  const running = await openOrExit(open);
  const { logger } = running;
  void told.then((signal) => stop(running, signal));
  void running.broken?.then((error) => {
    logger.fatal({ err: error }, 'the process broke');
    process.exit(1);
  });
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Answers the first signal, and leaves the second to the system. */
function toldToStop(): Promise<string> {
  return new Promise((resolve) => {
    const take = (signal: string) => {
      for (const one of SIGNALS) process.off(one, take);
      resolve(signal);
    };
    for (const one of SIGNALS) process.on(one, take);
  });
}

async function openOrExit(open: () => Promise<RunningProcess>): Promise<RunningProcess> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(MISCONFIGURED);
  }
}

async function stop(running: RunningProcess, signal: string): Promise<void> {
  const { logger } = running;
  logger.info({ signal }, 'stopping');
  try {
    await running.close();
  } catch (error) {
    logger.error({ err: error }, 'could not stop cleanly');
    process.exit(1);
  }
  logger.info('stopped');
  process.exit(0);
}
