/** What `docker run` is told for a service, so that its container is what `docker compose up` makes of it, but for networks. */
import path from 'node:path';
import { fixedSecrets, type Service } from '../../compose.ts';

export interface Given {
  /** Of the shell that starts compose. */
  readonly variables: Readonly<Record<string, string>>;
  /** The folder of the files that are secrets. */
  readonly secrets: string;
  /** Of each config: its file. */
  readonly configs: Readonly<Record<string, string>>;
  /** Of docker-compose.yml. */
  readonly folder: string;
}

/** Of services whose file says nothing. */
const COMPOSE_GRACE_SECONDS = 10;

/** The options, the image and the command. */
export function runArguments(service: Service, given: Given): readonly string[] {
  const { image, environment = {}, configs = [], volumes = [], command = [] } = service;
  const variables = Object.entries(environment).map(([name, value]) => [name, value ?? given.variables[name]] as const);
  const set = variables.filter(([, value]) => value !== undefined && value !== '');
  const files = [
    ...fixedSecrets(service).map((name) => [path.join(given.secrets, name), `/run/secrets/${name}`] as const),
    ...configs.map(({ source, target }) => [given.configs[source] ?? source, target] as const),
  ];
  return [
    ...limits(service, given),
    ...set.flatMap(([name, value = '']) => ['--env', `${name}=${interpolate(value, given.variables)}`]),
    ...files.flatMap(([source, target]) => ['--mount', `type=bind,source=${source},target=${target},readonly`]),
    ...volumes.flatMap((volume) => ['--volume', volume]),
    image,
    ...command,
  ];
}

function limits(service: Service, { variables, folder }: Given): readonly string[] {
  const { read_only: isReadOnly, tmpfs = [], cap_drop: dropped = [], security_opt: options = [] } = service;
  const { mem_limit: memory = '', pids_limit: processes = 0 } = service;
  return [
    ...(isReadOnly === true ? ['--read-only'] : []),
    ...tmpfs.flatMap((place) => ['--tmpfs', place]),
    ...dropped.flatMap((capability) => ['--cap-drop', capability]),
    ...options.flatMap((option) => ['--security-opt', securityOption(option, folder)]),
    ...['--memory', interpolate(memory, variables), '--pids-limit', String(processes)],
  ];
}

/** Compose writes some with a colon, and paths from the folder of its file. */
function securityOption(option: string, folder: string): string {
  const [name = '', value = ''] = option.split(/[:=](.*)/s);
  return `${name}=${name === 'seccomp' ? path.join(folder, value) : value}`;
}

/** How long `docker compose` lets it stop. */
export function graceSecondsOf({ stop_grace_period: grace }: Service, variables: Given['variables']): number {
  if (grace === undefined) return COMPOSE_GRACE_SECONDS;
  const [, count, unit] = /^(\d+)([sm])$/.exec(interpolate(grace, variables)) ?? [];
  if (count === undefined) throw new Error(`expected a stop_grace_period like 66m, found ${grace}`);
  return Number(count) * (unit === 'm' ? 60 : 1);
}

/** Like `${NAME}`, `${NAME:-default}` and `${NAME:?what is missing}`. */
export function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_whole, name: string, kind?: string, rest = '') => {
    const value = variables[name];
    if (value !== undefined && value !== '') return value;
    if (kind === '?') throw new Error(`expected the variable ${name} (${String(rest)}), found none`);
    return String(rest);
  });
}
