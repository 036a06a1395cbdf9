import { DefaultLogger, Runtime } from '@temporalio/worker';

let isInstalled = false;

export interface RuntimeOptions {
  /** False where a test makes the SDK fail on purpose. */
  readonly showsErrors: boolean;
}

/** Temporal's runtime exists once per process and must be installed before any connection or worker. */
export function installQuietRuntime({ showsErrors }: RuntimeOptions): void {
  if (isInstalled) return;
  Runtime.install({
    logger: showsErrors ? new DefaultLogger('ERROR') : new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
  });
  isInstalled = true;
}
