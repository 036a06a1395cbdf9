/** What code of one root reaches, or gets, that is not its own. */
import { sharedCredentials, type EnvironmentRecord } from '@nereid/config';
import { fail, ok, skip, warn, type Check, type Finding } from '@nereid/doctor';
import type { WorkerConfig } from '../platform/config/config.ts';
import { environmentForOthers } from '../platform/environment.ts';
import { adviceFor, refusalOf, whatAnswersHere } from '../host/reachable/probe-reachable.ts';
import { targetsOf } from '../host/reachable/targets.ts';
import type { Target } from '../host/reachable/what-answers.ts';

type Config = Pick<WorkerConfig, 'roles' | 'server' | 'temporal' | 'links'>;

export function isolationChecks(config: Config, record: EnvironmentRecord): readonly Check[] {
  const { roles } = config;
  return [
    ...(roles.includes('control')
      ? [{ name: 'credentials', run: () => Promise.resolve(checkCredentials(config)) }]
      : []),
    ...(roles.includes('terraform') ? [{ name: 'reachable', run: () => checkReachable(config, record) }] : []),
  ];
}

function checkCredentials({ server }: Config): Finding | readonly Finding[] {
  const found = sharedCredentials(server.current()).map(({ path, message }) =>
    warn(path === '' ? message : `${path}: ${message}`),
  );
  return found.length > 0 ? found : ok('no rule is stricter than directories that have the same credentials');
}

/** Looks again: the metrics of a worker say what it found at its start. */
async function checkReachable(config: Config, record: EnvironmentRecord): Promise<Finding | readonly Finding[]> {
  const { terraform } = config.server.current();
  if (terraform.reachable === 'off') return skip('terraform.reachable is off: nobody looks');
  const targets = targetsOf(config);
  const isRefused = terraform.reachable === 'refuse';
  let answering: readonly Target[];
  try {
    answering = await whatAnswersHere(terraform, environmentForOthers(record), targets);
  } catch (error) {
    // As at the start: it is no reason not to deploy, unless somebody wants to be sure.
    return (isRefused ? fail : warn)(unknown(error));
  }
  if (answering.length === 0) return ok(`none of ${namesOf(targets)} answers in a sandbox`);
  if (isRefused) return fail(refusalOf(answering));
  return answering.map(judge);
}

/** A sandbox with a network has that of its host, which has to reach Temporal. */
function judge({ name, host, port }: Target): Finding {
  if (name === 'temporal')
    return ok('Temporal answers in a sandbox, as in each that has a network: what counts there is signed');
  return warn(
    `expected that code of repositories does not reach ${name}, found that ${host}:${port} answers in a sandbox; ${adviceFor(name)}`,
  );
}

function unknown(error: unknown): string {
  const found = error instanceof Error ? error.message : String(error);
  return `expected to find out what answers in a sandbox, found: ${found}; look at the check "sandbox" first`;
}

function namesOf(targets: readonly Target[]): string {
  return targets.map(({ name }) => name).join(', ');
}
