/**
 * The ground for tests, the local stack and benchmarks: programs that are found or installed, a Temporal dev server, the
 * storage of three clouds, and SNS. The environment of workflow tests is apart, in `@nereid/test-kit/workflow-environment`, because it loads Temporal's
 * native library.
 */
export { startInBackground, type BackgroundOptions, type BackgroundProcess } from './background/background-process.ts';
export { describeEnding, type Ending } from './background/ending.ts';
export { freePort, isFreePort } from './background/free-port.ts';
export { ServerStartError, startUntilReady, type ServerStart } from './background/server.ts';
export { textOf } from './temporal/text-of.ts';
export { startRefusingTemporal } from './temporal/refusing-temporal.ts';
export { createTestAuthority, type TestAuthority, type TestCertificate } from './tls/certificates.ts';
export { startTlsFront, type TlsFront } from './tls/tls-front.ts';
export { fuzzApi, type Fuzzed, type FuzzOptions } from './fuzz/fuzz-api.ts';
export type { Emulator, EmulatorOptions } from './cloud/emulator.ts';
export { startAzurite, type Azurite } from './cloud/start-azurite.ts';
export { startFakeGcs } from './cloud/start-fake-gcs.ts';
export { installMoto, startMoto } from './cloud/start-moto.ts';
export { tradeToken, type Claims, type CloudName, type Traded, type Trust } from './cloud/trade-token.ts';
export { findDevServer, type DevServerSearch } from './temporal/find-dev-server.ts';
export {
  startTemporalServer,
  type TemporalServer,
  type TemporalServerOptions,
} from './temporal/start-temporal-server.ts';
export { toolCache, type Environment } from './toolchain/environment.ts';
export { DownloadError, InstallError, ToolNotFoundError } from './toolchain/errors.ts';
export { CONFTEST_OF_TESTS, findConftest } from './toolchain/find-conftest.ts';
export { findTerraform, type TerraformSearch } from './toolchain/find-terraform.ts';
export { withElapsed, type Report } from './toolchain/report.ts';
