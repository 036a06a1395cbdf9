/**
 * Sets up the namespace and waits until it can be used: `node temporal/main.ts`.
 *
 * Temporal's own variables name the server and the namespace (`TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE`, …).
 */
import { Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { setUpNamespace } from './set-up-namespace.ts';
import { retry } from './retry.ts';

/** A month, so that a deployment's workflows can still be seen when its consequences show. */
const RETENTION_DAYS = 30;
/** The client itself would retry for ever. */
const ATTEMPT_TIMEOUT_MS = 10_000;

const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
const connection = Connection.lazy(connectionOptions);
try {
  await retry(`the namespace ${namespace}`, () =>
    connection.withDeadline(Date.now() + ATTEMPT_TIMEOUT_MS, () =>
      setUpNamespace(connection, { namespace, retentionDays: RETENTION_DAYS }),
    ),
  );
  process.stdout.write(`The namespace ${namespace} and its search attributes are ready.\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await connection.close();
}
