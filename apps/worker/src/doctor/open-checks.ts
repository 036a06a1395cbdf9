import type { EnvironmentRecord } from '@nereid/config';
import { warn, type Check } from '@nereid/doctor';
import { processChecks, serverFileCheck, temporalCheck } from '@nereid/process';
import { readConfig, type WorkerConfig } from '../platform/config/config.ts';
import { versionsCheck } from '../platform/routing/versions-check.ts';
import { auditCheck } from './audit-check.ts';
import { githubChecks } from './github-checks.ts';
import { isolationChecks } from './isolation-checks.ts';
import { machineChecks } from './machine-checks.ts';
import { notificationsCheck } from '../notifications/notifications-check.ts';
import { programChecks } from './program-checks.ts';
import { storageChecks } from './storage-checks.ts';

export function openChecks(environment: EnvironmentRecord): readonly Check[] {
  return processChecks(
    environment,
    () => readConfig(environment, false),
    (config) => workerChecks(config, environment),
  );
}

/** The checks of a worker that runs, which has read its configuration. */
export function runningChecks(config: WorkerConfig, environment: EnvironmentRecord): readonly Check[] {
  return [serverFileCheck(config.server), temporalCheck(config.temporal), ...workerChecks(config, environment)];
}

function workerChecks(config: WorkerConfig, environment: EnvironmentRecord): readonly Check[] {
  return [
    ...(config.unneeded.length > 0 ? [unneededCheck(config.unneeded)] : []),
    ...(config.github.app ? githubChecks(config, config.github.app) : []),
    ...(config.roles.includes('control') ? [versionsCheck(config.temporal)] : []),
    ...storageChecks(config),
    auditCheck(config),
    notificationsCheck(config),
    ...machineChecks(config, environment),
    ...programChecks(config, environment),
    ...isolationChecks(config, environment),
  ];
}

function unneededCheck(names: readonly string[]): Check {
  const sentence = `expected no secrets that a worker of these roles does not need, found ${names.join(', ')}; remove them, so that nobody who takes it over has them`;
  return { name: 'secrets', run: () => Promise.resolve(warn(sentence)) };
}
