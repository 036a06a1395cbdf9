import type { EnvironmentRecord } from '@nereid/config';
import { fail, ok, type Check } from '@nereid/doctor';
import { processChecks } from '@nereid/process';
import { probeStorage } from '@nereid/storage';
import { readConfig, type ConsoleConfig } from '../config.ts';

export function openChecks(environment: EnvironmentRecord): readonly Check[] {
  return processChecks(environment, () => readConfig(environment, false), storageChecks);
}

/** It reads no plans. */
function storageChecks({ storage }: ConsoleConfig): readonly Check[] {
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
