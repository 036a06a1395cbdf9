import { remindedRecord, type RemindedRecord } from '@nereid/domain/gates/record';
import type { Repository } from '@nereid/domain/root';
import { isUnreadableRecord } from '../errors.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import { remindersKey } from '../records/record-keys.ts';

export type LastReminded = Omit<RemindedRecord, 'version'>;

/** The reminders of the last review of each lane. */
export interface ReminderRecords {
  /** Undefined where nobody was; also for a record that cannot be read, because a reminder too many does no harm. */
  read(repository: Pick<Repository, 'owner' | 'name'>, rootName: string): Promise<LastReminded | undefined>;
  write(repository: Pick<Repository, 'owner' | 'name'>, rootName: string, last: LastReminded): Promise<void>;
}

const format = recordFormat<RemindedRecord>(remindedRecord, 1);

export function createReminderRecords(store: ObjectStore): ReminderRecords {
  return {
    async read(repository, rootName) {
      const key = remindersKey(repository, rootName);
      const found = await store.get(key);
      try {
        return found && format.decode(key, found.body);
      } catch (error) {
        if (!isUnreadableRecord(error)) throw error;
        return undefined;
      }
    },
    async write(repository, rootName, last) {
      const key = remindersKey(repository, rootName);
      await store.put(key, format.encode(key, { version: 1, ...last }));
    },
  };
}
