import { DefaultLogger, Runtime } from '@temporalio/worker';

let isInstalled = false;
let isShown = true;

export interface RuntimeOptions {
  /** False where a test makes the SDK fail on purpose. */
  readonly showsErrors: boolean;
}

/** Temporal's runtime exists once per process and must be installed before any connection or worker; the files that run there share it. */
export function installQuietRuntime({ showsErrors }: RuntimeOptions): void {
  isShown = showsErrors;
  if (isInstalled) return;
  const shown = new DefaultLogger('ERROR');
  Runtime.install({
    logger: new DefaultLogger('ERROR', ({ level, message, meta }) => {
      if (isShown) shown.log(level, message, meta);
    }),
    telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
  });
  isInstalled = true;
}
