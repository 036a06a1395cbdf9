import { fail, ok, type Check } from '@nereid/doctor';
import { serverFileCheck, temporalCheck } from '@nereid/process';
import { probeStorage } from '@nereid/storage';
import type { ConsoleConfig } from '../platform/config/config.ts';

/** Of a console that runs: its server's file, and the services that it uses. */
export function consoleChecks(config: Pick<ConsoleConfig, 'server' | 'temporal' | 'storage'>): readonly Check[] {
  return [serverFileCheck(config.server), temporalCheck(config.temporal), ...storageChecks(config)];
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
