/** The programs that a worker starts. */
import { defined } from '@nereid/domain/defined';
import { join } from 'node:path';
import type { EnvironmentRecord } from '@nereid/config';
import { fail, ok, skip, type Check, type Finding } from '@nereid/doctor';
import { findProgram, runCommand } from '@nereid/subprocess';
import {
  BinaryMissingError,
  ConftestMissingError,
  createBinaryFinder,
  createConftestFinder,
  VersionUnavailableError,
  whyNoReleases,
  type Releases,
} from '@nereid/terraform';
import type { WorkerConfig } from '../platform/config/config.ts';
import { environmentForOthers } from '../platform/environment.ts';

type Config = Pick<WorkerConfig, 'dataDir' | 'roles' | 'server'>;

export function programChecks(config: Config, record: EnvironmentRecord): readonly Check[] {
  const environment = environmentForOthers(record);
  const checks = [{ name: 'git', run: (signal: AbortSignal) => checkGit(environment, signal) }];
  if (!config.roles.includes('terraform')) return checks;
  checks.push({ name: 'terraform', run: (signal) => checkTerraform(config, environment, signal) });
  if (config.server.current().policies.length > 0)
    checks.push({ name: 'conftest', run: (signal) => checkConftest(config, environment, signal) });
  return checks;
}

const GIT_MS = 5_000;

async function checkGit(environment: EnvironmentRecord, signal: AbortSignal): Promise<Finding> {
  const env = { PATH: environment['PATH'] ?? '' };
  const missing = 'install git 2.39 or newer, and have its folder in PATH';
  const found = findProgram({ argv: ['git'], env, cwd: '/' });
  if (found.kind === 'not-startable') return fail(`expected the program git, found that ${found.why}; ${missing}`);
  const ran = await runCommand({ argv: [found.program, '--version'], env, cwd: '/', timeoutMs: GIT_MS, signal });
  if (ran.kind !== 'exited' || ran.exitCode !== 0)
    return fail(`expected ${found.program} to say its version, found ${ran.kind}; ${missing}`);
  return ok(`${ran.stdout.trim().slice(0, 100)} at ${found.program}`);
}

/** Fetches nothing: a version that is not here yet takes as long as its download. */
async function checkTerraform(
  { server, dataDir }: Config,
  environment: EnvironmentRecord,
  signal: AbortSignal,
): Promise<Finding> {
  const { distribution, version, downloads, mirror } = server.current().terraform;
  const find = createBinaryFinder({
    path: environment['PATH'] ?? '',
    cacheDir: join(dataDir, 'terraform'),
    downloads: false,
    ...defined({ defaultVersion: version }),
  });
  try {
    const found = await find({ distribution });
    return ok(`${distribution} ${found.version} at ${found.path}`);
  } catch (error) {
    if (!(error instanceof VersionUnavailableError) && !(error instanceof BinaryMissingError)) throw error;
    if (!downloads) return fail(error.message);
    const wanted = version === undefined ? distribution : `${distribution} ${version}`;
    const releases = { of: distribution, signal, ...defined({ mirrorUrl: mirror }) };
    return fetchedLater(wanted, releases, 'name a mirror in terraform.mirror');
  }
}

async function checkConftest(
  { server, dataDir }: Config,
  environment: EnvironmentRecord,
  signal: AbortSignal,
): Promise<Finding> {
  const cacheDir = join(dataDir, 'conftest');
  const find = createConftestFinder({ path: environment['PATH'] ?? '', cacheDir, downloads: false });
  try {
    return ok(`conftest at ${await find()}`);
  } catch (error) {
    if (!(error instanceof ConftestMissingError)) throw error;
    if (!server.current().terraform.downloads) return fail(error.message);
    return fetchedLater('conftest', { of: 'conftest', signal }, 'install it on this machine');
  }
}

async function fetchedLater(wanted: string, releases: Releases, instead: string): Promise<Finding> {
  const problem = await whyNoReleases(releases);
  if (problem === undefined) return skip(`${wanted} is not here, and will be fetched when a root needs it`);
  return fail(`${problem}; let this machine reach it, or ${instead}`);
}
