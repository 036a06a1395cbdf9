/** The checks of the console: those of its environment, and where that can be read, of the storage that it reads. */
import { ConfigurationError, type EnvironmentRecord } from '@nereid/config';
import { fail, ok, skip, type Check } from '@nereid/doctor';
import { configurationCheck, environmentChecks } from '@nereid/process';
import { probeStorage } from '@nereid/storage';
import { readConfig, type ConsoleConfig } from '../config.ts';

export function openChecks(environment: EnvironmentRecord): readonly Check[] {
  const config = configOrNone(environment);
  return [
    configurationCheck(environment, () => readConfig(environment, false)),
    ...environmentChecks(environment),
    ...(config ? storageChecks(config) : [NOT_YET]),
  ];
}

/** It reads no plans. */
function storageChecks({ storage }: Pick<ConsoleConfig, 'storage'>): readonly Check[] {
  return (['deployments', 'logs'] as const).map((name) => ({
    name: `storage: ${name}`,
    async run() {
      const probed = await probeStorage(storage[name], storage, 'read');
      return probed.kind === 'usable'
        ? ok(`${storage[name]}: listed and read`)
        : fail(`${storage[name]}: ${probed.sentence}`);
    },
  }));
}

const NOT_YET: Check = {
  name: 'everything else',
  run: () => Promise.resolve(skip('the configuration has to be right first')),
};

/** Undefined when it has problems, which its own check reports. */
function configOrNone(environment: EnvironmentRecord): ConsoleConfig | undefined {
  try {
    return readConfig(environment, false);
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}
