/** `docker compose` with the file of the repository, on a machine of which only the network is made up. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TODAY } from '../images/build-images.ts';
import { makeResources, makeSecrets, RESOURCES, writeServerFile } from '../images/containers/operator-files.ts';
import { isHealthy } from '../images/containers/is-healthy.ts';
import { startPeople, type People } from '../images/containers/people.ts';
import type { Engine } from '../images/engine.ts';
import { REPOSITORY, readRepositoryFile } from '../repository.ts';

export interface Machine {
  /** Runs `docker compose` with these arguments. */
  compose(...args: readonly string[]): Promise<string>;
  /** Waits until the container of a service is healthy. */
  isHealthy(service: string): Promise<void>;
  /** Starts the stand-in of GitHub, beside the worker: it speaks no TLS, and so has to be on a loopback address of the worker. */
  startGitHub(): Promise<People>;
  /** What was applied, in order. The resources themselves have written it. */
  applied(): Promise<readonly string[]>;
}

const COMPOSE_TIMEOUT_MS = 20 * 60_000;

/** Of images, which are made here under the same names. */
const DIGESTS = /@sha256:[0-9a-f]{64}/g;

/** What a company has besides. The image of Temporal's UI cannot be made here. */
const override = (resources: string, dockerfile: string) => `services:
  temporal-ui: { profiles: [elsewhere] }
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
    override(at('resources'), path.join(scratch, 'Dockerfile.latest')),
  );
  await writeFile(at('environment'), environment(at('secrets'), at('nereid.server.yaml')));
  const files = ['docker-compose.yml', 'docker-compose.override.yml'].flatMap((name) => ['--file', at(name)]);
  const options = ['--project-directory', REPOSITORY, '--env-file', at('environment'), ...files];
  return {
    async compose(...args) {
      try {
        return await engine.docker(['compose', ...options, ...args], COMPOSE_TIMEOUT_MS);
      } catch (cause) {
        const logs = await engine.docker(['compose', ...options, 'logs', '--no-color', '--tail', '10']);
        throw new Error(`expected docker compose ${args.join(' ')} to succeed: ${String(cause)}\n${logs}`, { cause });
      }
    },
    isHealthy: (service) => isHealthy(engine, containerOf(service)),
    async startGitHub() {
      const worker = containerOf('worker');
      const format = '{{range .NetworkSettings.Networks}}{{.Gateway}} {{end}}';
      const [machine = ''] = (await engine.docker(['inspect', '--format', format, worker])).trim().split(' ');
      return startPeople(engine, { network: worker, keys: at('secrets'), gatewayUrl: `http://${machine}:4143` });
    },
    applied: async () => (await readFile(at('resources/applied'), 'utf8')).trim().split('\n'),
  };
}

/** As Compose names it. */
const containerOf = (service: string) => `nereid-${service}-1`;

const environment = (secrets: string, server: string) => `NEREID_SECRETS=${secrets}
NEREID_SERVER_CONFIG=${server}
GITHUB_APP_ID=1
CONSOLE_URL=https://nereid.example.org
GITHUB_API_URL=http://127.0.0.1:4500/api/v3
`;
