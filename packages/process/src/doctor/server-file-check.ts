import { describeTime, printable, type ReloadableServerConfig } from '@nereid/config';
import { fail, failuresOf, ok, type Check } from '@nereid/doctor';

/** People of all zones read it. */
const ZONE = 'UTC';

/** Of a process that runs: whether the server's file as it was last read is in force. */
export function serverFileCheck(server: Pick<ReloadableServerConfig, 'outdated'>): Check {
  return {
    name: 'server file',
    run() {
      const found = server.outdated();
      if (!found) return Promise.resolve(ok('this process uses the file as it last read it'));
      const since = describeTime(ZONE, Date.parse(found.since), Date.now());
      const kept = fail(
        `expected the server's file to be in force, found it broken since the reload of ${since}: this process still uses the earlier version, and would not start again; correct the file, check it with nereid config check ${printable(found.file)}, and send SIGHUP`,
      );
      return Promise.resolve([kept, ...failuresOf(found.problems)]);
    },
  };
}
