import { DefaultLogger, Runtime } from '@temporalio/worker';

let isInstalled = false;

/** Temporal's runtime exists once per process and must be installed before any connection or worker. */
export function installQuietRuntime(): void {
  if (isInstalled) return;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
  });
  isInstalled = true;
}
