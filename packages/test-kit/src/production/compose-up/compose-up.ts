/** `docker compose` with the file of the repository, on a machine of which only the network is made up. */
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TODAY } from '../images/build-images.ts';
import { makeResources, makeSecrets, RESOURCES, writeServerFile } from '../images/containers/operator-files.ts';
import { isHealthy } from '../images/containers/is-healthy.ts';
import { startPeople, type People } from '../images/containers/people.ts';
import type { Engine } from '../images/engine.ts';
import { REPOSITORY, readRepositoryFile } from '../../repository.ts';

export interface Machine {
  /** Runs `docker compose` with these arguments. */
  compose(...args: readonly string[]): Promise<string>;
  /** Runs lines of a guide, all in one folder. Returns what they print. */
  follow(lines: string): Promise<string>;
  /** What a guide has people write in docker-compose.override.yml, beside what this machine needs; empty: nothing. */
  override(text: string): Promise<void>;
  /** Waits until the container of a service is healthy. */
  isHealthy(service: string): Promise<void>;
  /** Starts the stand-in of GitHub, which outlives all containers of Compose. */
  startGitHub(): Promise<People>;
  /** GitHub speaks no TLS, and so has to be on a loopback address of the worker: again, whenever its container was made again. */
  reachGitHub(): Promise<void>;
  /** What was applied, in order. The resources themselves have written it. */
  applied(): Promise<readonly string[]>;
}

const COMPOSE_TIMEOUT_MS = 20 * 60_000;

/** Of images, which are made here under the same names. */
const DIGESTS = /@sha256:[0-9a-f]{64}/g;

/** What else a company has. */
const surroundings = (resources: string, dockerfile: string) => `services:
  temporal-namespace: { build: { network: host, dockerfile: ${dockerfile} } }
  gateway: { build: { network: host, dockerfile: ${dockerfile} } }
  console: { build: { network: host, dockerfile: ${dockerfile} } }
  worker:
    build: { network: host, dockerfile: ${dockerfile} }
    volumes: ['${resources}:${RESOURCES}']
`;

/** Makes what the guide has people make, as it says for those without `nereid setup`. */
export async function prepareMachine(engine: Engine, scratch: string): Promise<Machine> {
  const folder = await mkdtemp(path.join(scratch, 'machine-'));
  const at = (name: string) => path.join(folder, name);
  await makeSecrets(engine, TODAY, at('secrets'));
  await writeServerFile(engine, TODAY, at('nereid.server.yaml'));
  await makeResources(at('resources'));
  await writeFile(at('docker-compose.yml'), (await readRepositoryFile('docker-compose.yml')).replaceAll(DIGESTS, ''));
  await writeFile(
    at('docker-compose.override.yml'),
    surroundings(at('resources'), path.join(scratch, 'Dockerfile.latest')),
  );
  await mkdir(at('desk'));
  const override = (text: string) => writeFile(at('guide.yml'), text === '' ? 'services: {}\n' : text);
  await override('');
  await writeFile(at('environment'), environment(at('secrets'), at('nereid.server.yaml')));
  const files = ['docker-compose.yml', 'docker-compose.override.yml', 'guide.yml'].flatMap((name) => [
    '--file',
    at(name),
  ]);
  const options = ['--project-directory', REPOSITORY, '--env-file', at('environment'), ...files];
  const typedBefore = [composeIs(options), `cd ${at('desk')}`];
  return {
    async compose(...args) {
      try {
        return await engine.docker(['compose', ...options, ...args], COMPOSE_TIMEOUT_MS);
      } catch (cause) {
        const logs = await engine.docker(['compose', ...options, 'logs', '--no-color', '--tail', '10']);
        throw new Error(`expected docker compose ${args.join(' ')} to succeed: ${String(cause)}\n${logs}`, { cause });
      }
    },
    follow: (lines) => engine.shell([...typedBefore, lines].join('\n'), COMPOSE_TIMEOUT_MS),
    override,
    isHealthy: (service) => isHealthy(engine, containerOf(service)),
    async startGitHub() {
      const holder = ['--detach', '--name', OUTSIDE, '--publish', `${DOOR.port}:${DOOR.port}`, '--no-healthcheck'];
      await engine.docker(['run', ...holder, '--entrypoint', 'sleep', 'nereid-worker', 'infinity']);
      const gatewayUrl = `http://${await machineOf(engine, OUTSIDE)}:4143`;
      const people = await startPeople(engine, { network: OUTSIDE, keys: at('secrets'), gatewayUrl });
      await forward(engine, { name: 'github-door', network: OUTSIDE, from: DOOR, to: GITHUB });
      return people;
    },
    async reachGitHub() {
      const network = containerOf('worker');
      const to = { host: await machineOf(engine, network), port: DOOR.port };
      await forward(engine, { name: 'github-inside', network, from: GITHUB, to });
    },
    applied: async () => (await readFile(at('resources/applied'), 'utf8')).trim().split('\n'),
  };
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/** The container whose network GitHub has. */
const OUTSIDE = 'outside';
const GITHUB: Address = { host: '127.0.0.1', port: 4500 };
/** Where the machine has GitHub for its containers. */
const DOOR: Address = { host: '0.0.0.0', port: 4501 };

/** Its address, as a container sees it. */
async function machineOf(engine: Engine, container: string): Promise<string> {
  const format = '{{range .NetworkSettings.Networks}}{{.Gateway}} {{end}}';
  const [machine = ''] = (await engine.docker(['inspect', '--format', format, container])).trim().split(' ');
  return machine;
}

interface Forward {
  readonly name: string;
  /** Of the container whose network it listens in. */
  readonly network: string;
  readonly from: Address;
  readonly to: Address;
}

/** Passes connections on. A container of that name is replaced. */
async function forward(engine: Engine, { name, network, from, to }: Forward): Promise<void> {
  const program = `require('node:net').createServer((here) => {
    const there = require('node:net').connect(${JSON.stringify(to)});
    here.on('error', () => there.destroy()).pipe(there).on('error', () => here.destroy()).pipe(here);
  }).listen(${JSON.stringify(from)});`;
  await engine.docker(['rm', '--force', name]);
  const options = ['--detach', '--name', name, '--network', `container:${network}`, '--no-healthcheck'];
  await engine.docker(['run', ...options, '--entrypoint', 'node', 'nereid-worker', '--eval', program]);
}

/** In a shell: `docker compose` with these options. */
const composeIs = (options: readonly string[]) => `docker() {
  if [ "$1" = compose ]; then command docker compose ${options.join(' ')} "\${@:2}"; else command docker "$@"; fi
}`;

/** As Compose names it. */
const containerOf = (service: string) => `nereid-${service}-1`;

const environment = (secrets: string, server: string) => `NEREID_SECRETS=${secrets}
NEREID_SERVER_CONFIG=${server}
GITHUB_APP_ID=1
CONSOLE_URL=https://nereid.example.org
GITHUB_API_URL=http://127.0.0.1:4500/api/v3
GATEWAY_PUBLISHED=0.0.0.0:4143
`;
