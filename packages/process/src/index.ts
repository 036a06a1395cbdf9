/** The parts that all processes share, around their own work. */
export { connectionUntilDeadline } from './intake/connection-until-deadline.ts';
export { BODY_DIGEST, createStartIntake, type StartIntake, type Started } from './intake/start-intake.ts';
export { healthListener, type Readiness } from './health-listener.ts';
export { listen, type Listener } from './listen.ts';
export { createLogger } from './logger.ts';
export { serveMetrics } from './metrics/metrics-listener.ts';
export { readProcessConfig, type CommonConfig, type ProcessConfig } from './process-config.ts';
export { reloadOnHangup } from './reload-on-hangup.ts';
export { runProcess, type RunningProcess } from './run-process.ts';
export { isOwnSecret, takeEnvironment } from './take-environment.ts';
export { checkTemporal, requireTemporal, type Checked, type TemporalChecked } from './temporal/check-temporal.ts';
export { openWithTemporal } from './temporal/open-with-temporal.ts';
export { createPayloadCodec, isSealed } from './temporal/payload-codec.ts';
export { createTemporalClient } from './temporal/temporal-client.ts';
export { measureStores } from './metrics/storage-metrics.ts';
export { measureTemporal } from './metrics/temporal-metrics.ts';
export { readTemporalConfig, type TemporalConfig } from './temporal/temporal-config.ts';
export { createTemporalProbe, type TemporalProbe } from './temporal/temporal-probe.ts';
