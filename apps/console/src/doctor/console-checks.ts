import { fail, ok, type Check } from '@nereid/doctor';
import { temporalCheck } from '@nereid/process';
import { probeStorage } from '@nereid/storage';
import type { ConsoleConfig } from '../platform/config/config.ts';

/** The services that a console uses, once it has read its configuration. */
export function consoleChecks(config: Pick<ConsoleConfig, 'temporal' | 'storage'>): readonly Check[] {
  return [temporalCheck(config.temporal), ...storageChecks(config)];
}

/** It reads no plans. */
export function storageChecks({ storage }: Pick<ConsoleConfig, 'storage'>): readonly Check[] {
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
