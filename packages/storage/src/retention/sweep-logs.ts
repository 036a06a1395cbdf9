import { defined } from '@nereid/domain/defined';
import type { ObjectStore } from '../objects/object-store.ts';
import { deploymentOfLog, logPrefixOf, LOGS_PREFIX } from '../logs/log-keys.ts';
import type { InUse } from './in-use.ts';
import { createTally, endOf, isOld, removeKeys, type Sweep, type Swept } from './sweep.ts';

/** One log, with the text of the plan beside it: `logs/<pool>/<job id>/…`. */
interface Log {
  readonly prefix: string;
  readonly keys: string[];
  isOld: boolean;
}

/** Removes whole logs, whose every object is old. One that is removed in part is finished by a later call. */
export async function sweepLogs(
  logs: ObjectStore,
  { deployments }: Pick<InUse, 'deployments'>,
  sweep: Sweep,
): Promise<Swept> {
  const tally = createTally(sweep);
  const end = async ({ prefix, keys, isOld: isOldLog }: Log) => {
    if (isOldLog && !deployments.has(deploymentOfLog(prefix)))
      await tally.attempt(async () => {
        await removeKeys(logs, keys);
        tally.removed();
      });
  };
  let log: Log | undefined;
  for await (const each of logs.listStamped(LOGS_PREFIX, defined({ after: sweep.after }))) {
    tally.looked();
    const prefix = logPrefixOf(each.key);
    if (prefix === undefined) continue;
    if (log && log.prefix !== prefix) {
      await end(log);
      if (tally.isFull()) return tally.swept(endOf(log.prefix));
    }
    if (log?.prefix !== prefix) log = { prefix, keys: [], isOld: true };
    log.isOld &&= isOld(each, sweep.beforeMs);
    if (log.isOld) log.keys.push(each.key);
  }
  if (log) await end(log);
  return tally.swept();
}
