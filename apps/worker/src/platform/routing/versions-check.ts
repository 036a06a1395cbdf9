import { ok, skip, warn, type Check } from '@nereid/doctor';
import { createTemporalClient, type TemporalConfig } from '@nereid/process';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { hasVersions, readRoutes } from './read-routes.ts';

const DEADLINE_MS = 5_000;

/** Whether two releases of control may run side by side, and to which version workflows go. */
export function versionsCheck(temporal: Pick<TemporalConfig, 'namespace' | 'connection' | 'dataConverter'>): Check {
  return {
    name: 'versions',
    async run() {
      const connection = Connection.lazy({ ...temporal.connection, interceptors: [] });
      const client = createTemporalClient(temporal, { connection });
      try {
        return await connection.withDeadline(Date.now() + DEADLINE_MS, async () => {
          if (!(await hasVersions(client)))
            return warn(
              'expected a Temporal server with Worker Deployment Versioning, found one without it; upgrade one release at a time: stop all control workers before those of the next release start',
            );
          const current = (await readRoutes(client))?.current;
          return ok(
            current === undefined
              ? 'the first control worker has workflows routed to it'
              : `workflows go to ${current}`,
          );
        });
      } catch (error) {
        if (!isGrpcServiceError(error)) throw error;
        return skip('Temporal has to answer first');
      } finally {
        await connection.close();
      }
    },
  };
}
