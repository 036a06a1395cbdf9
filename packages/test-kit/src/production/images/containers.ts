/** The containers of docker-compose.yml, a Temporal and a GitHub. They share a network that has no address but its own. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../../toolchain/environment.ts';
import { findTemporalCli } from '../../toolchain/find-temporal-cli.ts';
import { readCompose, type Compose } from '../compose.ts';
import { DOCKERFILE } from '../image-folder.ts';
import { REPOSITORY } from '../repository.ts';
import type { Engine } from './engine.ts';
import { runArguments, type Given } from './run-arguments.ts';

export interface Containers {
  /** Starts the container of a service, and waits until its image's HEALTHCHECK is content. */
  start(name: string): Promise<void>;
  /** Sends SIGKILL to its process, as when a machine ends, and starts it again, until it is healthy. */
  killAndStart(name: string): Promise<void>;
  killAndStartTemporal(): Promise<void>;
  /**
   * Stops everything that an installation has, makes a backup as the guide says, takes away all containers and volumes, and has
   * a Temporal again, from the backup.
   */
  moveToEmptyMachine(): Promise<void>;
  /** Starts the stand-in of GitHub. */
  startGitHub(): Promise<void>;
  /** Has the person at GitHub go on, and waits for the line with which they say that they have reached something. */
  goOn(reached: string): Promise<string>;
}

/** Without TLS, which the dev server has not. */
const VARIABLES = {
  GITHUB_APP_ID: '1',
  GITHUB_API_URL: 'http://127.0.0.1:4500/api/v3',
  CONSOLE_URL: 'https://nereid.example.org',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
};

const GITHUB = ['4500', 'http://127.0.0.1:4143/events'] as const;

/** That of Temporal is in the place of its database. */
const BACKED_UP = ['storage', 'temporal'];

/** The image of Node. The user of ours. */
const NODE = /^FROM (node:\S+?)@/m;
const USER = 1000;

/** Imports take seconds, and health is checked every ten. A deployment takes ten; a worker that was killed is missed after a minute. */
const WITHIN_MS = 300_000;
const POLL_MS = 500;
const NETWORK = ['--network', 'container:network'];

/** What is the same for all containers. */
interface Ground {
  readonly engine: Engine;
  readonly folder: string;
  readonly secrets: string;
  readonly node: string;
  /** The path of Temporal's program. */
  readonly cli: string;
  readonly argumentsOf: (service: string) => readonly string[];
}

/** Makes keys, and starts a Temporal that has what the processes need. `folder` is for files. */
export async function startTemporal(engine: Engine, folder: string, env: Environment): Promise<Containers> {
  const compose = await readCompose();
  const secrets = await makeSecrets(engine, path.join(folder, 'secrets'));
  const server = await writeServerFile(engine, path.join(folder, 'nereid.server.yaml'));
  const given: Given = { secrets, configs: { server }, variables: VARIABLES };
  const argumentsOf = (name: string) => runArguments(serviceIn(compose, name), given);
  const cli = await findTemporalCli({ env, report: () => undefined });
  const node = NODE.exec(await readFile(path.join(REPOSITORY, DOCKERFILE), 'utf8'))?.[1] ?? '';
  const ground: Ground = { engine, folder, secrets, node, cli, argumentsOf };

  await engine.docker(['run', '--detach', '--name', 'network', '--network', 'none', node, 'sleep', 'infinity']);
  await runTemporal(ground);
  return {
    async start(name) {
      await engine.docker(['run', '--detach', '--name', name, ...NETWORK, ...argumentsOf(name)]);
      await isHealthy(engine, name);
    },
    async killAndStart(name) {
      await engine.docker(['kill', name]);
      await engine.docker(['start', name]);
      await isHealthy(engine, name);
    },
    async killAndStartTemporal() {
      await engine.docker(['kill', 'temporal']);
      await engine.docker(['start', 'temporal']);
      await setUpTemporal(ground);
    },
    moveToEmptyMachine: () => moveToEmptyMachine(ground),
    async startGitHub() {
      await runGitHub(ground);
      await githubSays(engine, 'ready');
    },
    async goOn(reached) {
      await engine.docker(['kill', '--signal', 'USR2', 'github']);
      return githubSays(engine, reached);
    },
  };
}

async function runTemporal(ground: Ground): Promise<void> {
  const { engine, node, cli } = ground;
  const mounts = ['--volume', `${cli}:/usr/bin/temporal:ro`, '--volume', 'temporal:/data'];
  const program = ['temporal', 'server', 'start-dev', '--headless', '--db-filename', '/data/temporal.db'];
  await engine.docker(['run', '--detach', '--name', 'temporal', ...NETWORK, ...mounts, node, ...program]);
  await setUpTemporal(ground);
}

/** Succeeds as soon as Temporal answers. */
async function setUpTemporal({ engine, argumentsOf }: Ground): Promise<void> {
  const setUp = ['run', '--rm', ...NETWORK, ...argumentsOf('temporal-namespace')];
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
  await engine.docker(['volume', 'rm', 'worker', 'temporary', ...BACKED_UP]);
  await engine.docker([...tar, '-xzf', '/to/backup.tgz']);
  await runTemporal(ground);
}

/** In the worker's image, which has git. */
async function runGitHub({ engine, secrets }: Ground): Promise<void> {
  const files = ['--volume', `${REPOSITORY}:/repository:ro`, '--volume', `${secrets}:/keys:ro`];
  const options = ['--detach', '--name', 'github', '--no-healthcheck', '--entrypoint', 'node'];
  const program = '/repository/packages/test-kit/src/production/images/fixtures/github.ts';
  await engine.docker(['run', ...options, ...NETWORK, ...files, 'nereid-worker', program, ...GITHUB]);
}

/** Waits for a line that begins so, and returns it. */
function githubSays(engine: Engine, beginning: string): Promise<string> {
  return until(`GitHub's container to say ${beginning}`, async () => {
    const lines = (await engine.docker(['logs', 'github'])).split('\n');
    const found = lines.find((line) => line.startsWith(beginning) || line.startsWith('failed'));
    if (found === undefined) throw new Error(`found: ${lines.join(', ')}`);
    return found;
  });
}

async function isHealthy(engine: Engine, name: string): Promise<void> {
  await until(`${name} to be healthy`, async () => {
    const state = await engine.docker(['inspect', '--format', '{{.State.Status}} {{.State.Health.Status}}', name]);
    if (state === 'running healthy\n') return;
    throw new Error(`found ${state.trim()}:\n${await engine.docker(['logs', '--tail', '20', name])}`);
  });
}

function serviceIn(compose: Compose, name: string) {
  const service = compose.services[name];
  if (service === undefined) throw new Error(`expected a service ${name} in docker-compose.yml, found none`);
  const { environment = {}, secrets = [] } = service;
  const withoutTls = Object.entries(environment).filter(([variable]) => !variable.startsWith('TEMPORAL_TLS'));
  return {
    ...service,
    environment: Object.fromEntries(withoutTls),
    secrets: secrets.filter((secret) => !secret.startsWith('temporal-')),
  };
}

/** As the guide has people make them. Returns the folder. */
async function makeSecrets(engine: Engine, folder: string): Promise<string> {
  await mkdir(folder);
  const keys = ['node', 'packages/config/bin/nereid.js', 'keys', '/keys'];
  await engine.docker(['run', '--rm', '--user', '0', '--volume', `${folder}:/keys`, 'nereid-worker', ...keys]);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(path.join(folder, 'github-app-private-key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  await writeFile(path.join(folder, 'github-webhook-secret'), randomBytes(32).toString('hex'));
  for (const name of await readdir(folder)) await chown(path.join(folder, name), USER, USER);
  return folder;
}

/** That of docker-compose.yml, with the version of Terraform that the image has here: no other can be downloaded. */
async function writeServerFile(engine: Engine, file: string): Promise<string> {
  const asked = await engine.docker(['run', '--rm', 'nereid-worker', 'terraform', 'version', '-json']);
  const { terraform_version: version } = JSON.parse(asked) as { terraform_version: string }; // Of Terraform.
  const text = await readFile(path.join(REPOSITORY, '.config/production/nereid.server.yaml'), 'utf8');
  await writeFile(file, text.replace(/^terraform: .*$/m, `terraform: { version: '${version}', downloads: false }`));
  return file;
}

/** Asks again and again. Throws with the last answer. */
async function until<T>(what: string, ask: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    try {
      return await ask();
    } catch (cause) {
      if (performance.now() > deadline) throw new Error(`expected ${what}: ${String(cause)}`, { cause });
      await pause(POLL_MS);
    }
  }
}
