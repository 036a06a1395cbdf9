import { ok, skip, warn, type Check } from '@nereid/doctor';
import { createOutbox, openObjectStore } from '@nereid/storage';
import { describeDestination } from '@nereid/domain/notification';
import type { WorkerConfig } from '../platform/config/config.ts';

/** A destination that fails for less than an hour may mend by itself. No message is sent: nereid notify test does that. */
export function notificationsCheck({
  server,
  storage,
  roles,
}: Pick<WorkerConfig, 'server' | 'storage' | 'roles'>): Check {
  const { notifications } = server.current();
  return {
    name: 'notifications',
    async run() {
      if (!roles.includes('control')) return skip('only a control worker delivers notifications');
      if (notifications.length === 0) return skip('notifications is not set: nobody is notified');
      const store = await openObjectStore(storage.deployments, storage);
      try {
        const outbox = createOutbox(store);
        return await Promise.all(
          notifications.map(async ({ name }) => {
            const { kind, sentence } = describeDestination(name, (await outbox.readState(name))?.state);
            return kind === 'stuck' || kind === 'refused' ? warn(sentence) : ok(sentence);
          }),
        );
      } finally {
        store.close();
      }
    },
  };
}
