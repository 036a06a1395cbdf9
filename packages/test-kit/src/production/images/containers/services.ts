/** The services of a version's docker-compose.yml, without TLS, which the dev server of Temporal has not. */
import { fixedSecrets, readCompose, type Compose, type Service } from '../../compose.ts';
import type { Version } from '../build-images.ts';
import { RESOURCES } from './operator-files.ts';
import { graceSecondsOf, runArguments, type Given } from './run-arguments.ts';

export interface Services {
  /** Of `docker run`. */
  argumentsOf(name: string): readonly string[];
  graceSecondsOf(name: string): number;
}

export interface Installation extends Pick<Given, 'secrets' | 'configs'> {
  /** The folder of what roots make. */
  readonly resources: string;
}

const VARIABLES = {
  GITHUB_APP_ID: '1',
  GITHUB_API_URL: 'http://127.0.0.1:4500/api/v3',
  CONSOLE_URL: 'https://nereid.example.org',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
};

export async function readServices({ folder, tag }: Version, installation: Installation): Promise<Services> {
  const compose = await readCompose(folder);
  const given: Given = { ...installation, variables: VARIABLES, folder };
  const mount = ['--mount', `type=bind,source=${installation.resources},target=${RESOURCES}`];
  return {
    argumentsOf(name) {
      const service = serviceIn(compose, name);
      const options = name === 'worker' ? mount : [];
      return [...options, ...runArguments({ ...service, image: `${service.image}:${tag}` }, given)];
    },
    graceSecondsOf: (name) => graceSecondsOf(serviceIn(compose, name), VARIABLES),
  };
}

function serviceIn(compose: Compose, name: string): Service {
  const service = compose.services[name];
  if (service === undefined) throw new Error(`expected a service ${name} in docker-compose.yml, found none`);
  const { environment = {} } = service;
  const withoutTls = Object.entries(environment).filter(([variable]) => !variable.startsWith('TEMPORAL_TLS'));
  return {
    ...service,
    environment: Object.fromEntries(withoutTls),
    secrets: fixedSecrets(service).filter((secret) => !secret.startsWith('temporal-')),
  };
}
