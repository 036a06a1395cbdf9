import { ConfigurationError, type EnvironmentRecord } from '@nereid/config';
import type { Logger } from 'pino';
import { extractEnvironment } from './extract-environment.ts';

/** A process that has started. */
export interface RunningProcess {
  readonly logger: Logger;
  /** Resolves with the reason if the process stops working although nobody asked it to. */
  readonly broken?: Promise<unknown>;
  /** Finishes the work in flight and releases everything. */
  close(): Promise<void>;
}

/** The exit code for a wrong configuration; 1 is for a failure while the process ran. */
const MISCONFIGURED = 2;

type Open = (environment: EnvironmentRecord) => Promise<RunningProcess>;

/**
 * Runs a process from start to exit. It opens with a copy of its environment, which has no secrets of ours from then on. With a wrong configuration, it prints every problem without a stack trace and exits 2. On
 * the first SIGTERM or SIGINT it closes, once it has opened, and exits 0; a second signal has the system's default effect. A
 * process that breaks exits 1, so that its supervisor starts another.
 */
export async function runProcess(environment: NodeJS.ProcessEnv, open: Open): Promise<void> {
  const stopSignal = nextStopSignal();
  const running = await openOrExit(extractEnvironment(environment), open);
  const { logger } = running;
  void stopSignal.then((signal) => stop(running, signal));
  void running.broken?.then((error) => {
    logger.fatal({ err: error }, 'the process broke');
    process.exit(1);
  });
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Resolves with the first signal and leaves the second to the system. */
function nextStopSignal(): Promise<string> {
  return new Promise((resolve) => {
    const onSignal = (signal: string) => {
      for (const one of SIGNALS) process.off(one, onSignal);
      resolve(signal);
    };
    for (const one of SIGNALS) process.on(one, onSignal);
  });
}

async function openOrExit(environment: EnvironmentRecord, open: Open): Promise<RunningProcess> {
  try {
    return await open(environment);
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
