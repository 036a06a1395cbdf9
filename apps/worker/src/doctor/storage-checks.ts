import { fail, ok, type Check } from '@nereid/doctor';
import { probeStorage, type StorageUse } from '@nereid/storage';
import type { WorkerConfig } from '../platform/config/config.ts';
import type { Role } from '../platform/config/roles.ts';

const NAMES = ['deployments', 'plans', 'logs'] as const;
type Name = (typeof NAMES)[number];

/** One for each URL, with what the worker's roles need there. */
export function storageChecks({ storage, roles }: Pick<WorkerConfig, 'storage' | 'roles'>): readonly Check[] {
  return NAMES.map((name) => ({
    name: `storage: ${name}`,
    async run() {
      const use = useOf(name, roles);
      const probed = await probeStorage(storage[name], storage, use);
      return probed.kind === 'usable'
        ? ok(`${storage[name]}: ${DONE[use]}`)
        : fail(`${storage[name]}: ${probed.sentence}`);
    },
  }));
}

const DONE: Readonly<Record<StorageUse, string>> = {
  all: 'wrote, replaced, read and removed an object; late writes were refused',
  read: 'listed and read',
  list: 'listed',
};

/** As apps/docs/guides/storage-credentials.md grants: control alone has no key of plans and reads logs. */
export function useOf(name: Name, roles: readonly Role[]): StorageUse {
  if (name === 'deployments' || roles.includes('terraform')) return 'all';
  return name === 'plans' ? 'list' : 'read';
}
