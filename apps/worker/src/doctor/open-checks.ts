/** The checks of a worker: those of its environment, and where that can be read, of all that it works with. */
import { ConfigurationError, type EnvironmentRecord } from '@nereid/config';
import { skip, warn, type Check } from '@nereid/doctor';
import { configurationCheck, environmentChecks } from '@nereid/process';
import { readConfig, type WorkerConfig } from '../config.ts';
import { auditCheck } from './audit-check.ts';
import { githubChecks } from './github-checks.ts';
import { machineChecks } from './machine-checks.ts';
import { storageChecks } from './storage-checks.ts';

export function openChecks(environment: EnvironmentRecord): readonly Check[] {
  const config = configOrNone(environment);
  return [
    configurationCheck(environment, () => readConfig(environment, false)),
    ...environmentChecks(environment),
    ...(config ? workerChecks(config, environment) : [NOT_YET]),
  ];
}

function workerChecks(config: WorkerConfig, environment: EnvironmentRecord): readonly Check[] {
  return [
    ...(config.unneeded.length > 0 ? [unneededCheck(config.unneeded)] : []),
    ...(config.github.app ? githubChecks(config, config.github.app) : []),
    ...storageChecks(config),
    auditCheck(config),
    ...machineChecks(config, environment),
  ];
}

const NOT_YET: Check = {
  name: 'everything else',
  run: () => Promise.resolve(skip('the configuration has to be right first')),
};

function unneededCheck(names: readonly string[]): Check {
  const sentence = `expected no secrets that a worker of these roles does not need, found ${names.join(', ')}; take them from it, so that nobody who takes it over has them`;
  return { name: 'secrets', run: () => Promise.resolve(warn(sentence)) };
}

/** Undefined when it has problems, which its own check reports. */
function configOrNone(environment: EnvironmentRecord): WorkerConfig | undefined {
  try {
    return readConfig(environment, false);
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}
