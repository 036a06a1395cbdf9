/** The containers of docker-compose.yml, a Temporal and a GitHub. They share a network that has no address but its own. */
import { mkdtemp, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '../../../toolchain/environment.ts';
import { RECONCILE_SCHEDULE } from '@nereid/domain/temporal-names';
import { findDevServer } from '../../../temporal/find-dev-server.ts';
import { DOCKERFILE } from '../image-folder.ts';
import { readRepositoryFile } from '../../../repository.ts';
import { TODAY, type Version } from '../build-images.ts';
import type { Engine } from '../engine.ts';
import { isHealthy } from './is-healthy.ts';
import { makeResources, makeSecrets, writeServerFile } from './operator-files.ts';
import { startOnCloudRun } from './on-cloud-run.ts';
import { startPeople, type People } from './people.ts';
import type { Program } from './program.ts';
import { readServices, type Services } from './services.ts';
import { until, WITHIN_MS } from './until.ts';

export interface Containers {
  /** Starts the container of a service, and waits until its image's HEALTHCHECK is content. */
  readonly start: (name: string) => Promise<void>;
  /** Sends SIGKILL to its process, as when a machine ends, and starts it again, until it is healthy. */
  readonly killAndStart: (name: string) => Promise<void>;
  readonly killAndStartTemporal: () => Promise<void>;
  /** It has the time of docker-compose.yml to stop. */
  readonly restart: (name: string) => Promise<void>;
  readonly restartTemporal: () => Promise<void>;
  /** Replaces a container by one of today's image, as `docker compose up` does: with its volumes, after it has stopped. */
  readonly upgrade: (name: string) => Promise<void>;
  /**
   * Stops everything that an installation has, makes a backup of its volumes, takes away all containers and volumes, and has a
   * Temporal again, from the backup.
   */
  readonly moveToEmptyMachine: () => Promise<void>;
  /** Starts the stand-in of GitHub. */
  readonly startGitHub: () => Promise<People>;
  /** Starts the gateway with what its service file for Cloud Run gives it, and a GitHub that sends webhooks to it. */
  readonly startOnCloudRun: () => Promise<Program>;
  /** Has the reconciler come at once, which else comes every ten minutes. */
  readonly reconcile: () => Promise<void>;
  /** What was applied, in order, like `network 1`. The resources themselves have written it. */
  readonly applied: () => Promise<readonly string[]>;
  /** Takes everything away. */
  readonly remove: () => Promise<void>;
}

/** That of Temporal is in the place of its database. */
const BACKED_UP = ['storage', 'temporal'];
const VOLUMES = ['worker', 'temporary', ...BACKED_UP];

/** The image of Node. */
const NODE = /^FROM (node:\S+?)@/m;

/** Docker's own. */
const TEMPORAL_GRACE_SECONDS = 10;
const NETWORK = ['--network', 'container:network'];

/** What is the same for all containers. */
interface Ground {
  readonly engine: Engine;
  readonly folder: string;
  readonly node: string;
  /** The path of Temporal's program. */
  readonly program: string;
  /** Of the version that was installed. */
  readonly services: Services;
}

/** Makes keys, and starts a Temporal that has what the processes of a version need. `folder` is for files. */
export async function startTemporal(
  engine: Engine,
  folder: string,
  env: Environment,
  version: Version = TODAY,
): Promise<Containers> {
  const own = await mkdtemp(path.join(folder, 'containers-'));
  const [secrets, server, resources] = [
    path.join(own, 'secrets'),
    path.join(own, 'server.yaml'),
    path.join(own, 'made'),
  ];
  await makeSecrets(engine, version, secrets);
  await writeServerFile(engine, version, server);
  await makeResources(resources);
  const installation = { secrets, configs: { server }, resources };
  const services = await readServices(version, installation);
  const today = await readServices(TODAY, installation);
  const program = await findDevServer({ env, report: () => undefined });
  const node = NODE.exec(await readRepositoryFile(DOCKERFILE))?.[1] ?? '';
  const ground: Ground = { engine, folder: own, node, program, services };

  await engine.docker(['run', '--detach', '--name', 'network', '--network', 'none', node, 'sleep', 'infinity']);
  await runTemporal(ground);
  return {
    start: (name) => run(engine, name, services),
    async killAndStart(name) {
      await engine.docker(['kill', name]);
      await engine.docker(['start', name]);
      await isHealthy(engine, name);
    },
    async killAndStartTemporal() {
      await engine.docker(['kill', 'temporal']);
      await engine.docker(['start', 'temporal']);
      await setUpTemporal(engine, services);
    },
    async restart(name) {
      await stop(engine, name, services.graceSecondsOf(name));
      await engine.docker(['start', name]);
      await isHealthy(engine, name);
    },
    async restartTemporal() {
      await stop(engine, 'temporal', TEMPORAL_GRACE_SECONDS);
      await engine.docker(['start', 'temporal']);
      await setUpTemporal(engine, services);
    },
    async upgrade(name) {
      await stop(engine, name, services.graceSecondsOf(name));
      await engine.docker(['rm', name]);
      await setUpTemporal(engine, today);
      await run(engine, name, today);
    },
    moveToEmptyMachine: () => moveToEmptyMachine(ground),
    startGitHub: () => startPeople(engine, { network: 'network', keys: secrets, gatewayUrl: 'http://127.0.0.1:4143' }),
    async reconcile() {
      await engine.docker(['exec', 'worker', 'node', '--input-type=module', '--eval', TRIGGER]);
    },
    startOnCloudRun: () => startOnCloudRun(engine, { network: NETWORK, keys: secrets }),
    async applied() {
      const text = await readFile(path.join(resources, 'applied'), 'utf8');
      return text.trim().split('\n');
    },
    async remove() {
      const containers = (await engine.docker(['ps', '--all', '--quiet'])).split('\n').filter((id) => id !== '');
      await engine.docker(['rm', '--force', ...containers]);
      // Not all are there: some are those of containers that were not started.
      await engine.docker(['volume', 'rm', '--force', ...VOLUMES]);
    },
  };
}

/** As `temporal schedule trigger` does. */
const TRIGGER = `
  import { Client, Connection } from '@temporalio/client';
  const connection = await Connection.connect();
  await new Client({ connection }).schedule.getHandle('${RECONCILE_SCHEDULE}').trigger();
  await connection.close();
`;

async function run(engine: Engine, name: string, services: Services): Promise<void> {
  await engine.docker(['run', '--detach', '--name', name, ...NETWORK, ...services.argumentsOf(name)]);
  await isHealthy(engine, name);
}

async function stop(engine: Engine, name: string, graceSeconds: number): Promise<void> {
  await engine.docker(['stop', '--time', String(graceSeconds), name], WITHIN_MS);
}

async function runTemporal({ engine, node, program, services }: Ground): Promise<void> {
  const mounts = ['--volume', `${program}:/usr/bin/temporal:ro`, '--volume', 'temporal:/data'];
  const argv = ['temporal', 'server', 'start-dev', '--headless', '--db-filename', '/data/temporal.db'];
  await engine.docker(['run', '--detach', '--name', 'temporal', ...NETWORK, ...mounts, node, ...argv]);
  await setUpTemporal(engine, services);
}

/** Succeeds as soon as Temporal answers. */
async function setUpTemporal(engine: Engine, services: Services): Promise<void> {
  const setUp = ['run', '--rm', ...NETWORK, ...services.argumentsOf('temporal-namespace')];
  await until('Temporal to be set up', () => engine.docker(setUp));
}

async function moveToEmptyMachine(ground: Ground): Promise<void> {
  const { engine, folder, node } = ground;
  const names = ['gateway', 'worker', 'console', 'temporal'];
  await engine.docker(['stop', '--time', '60', ...names]);
  const volumes = BACKED_UP.flatMap((name) => ['--volume', `${name}:/from/${name}`]);
  const tar = ['run', '--rm', ...volumes, '--volume', `${folder}:/to`, node, 'tar', '-C', '/from'];
  await engine.docker([...tar, '-czf', '/to/backup.tgz', '.']);
  await engine.docker(['rm', ...names]);
  await engine.docker(['volume', 'rm', ...VOLUMES]);
  await engine.docker([...tar, '-xzf', '/to/backup.tgz']);
  await runTemporal(ground);
}
