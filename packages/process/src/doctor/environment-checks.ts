/** What every process can be checked for, by its environment alone. */
import { ConfigurationError, type EnvironmentRecord } from '@nereid/config';
import { fail, failuresOf, ok, type Check } from '@nereid/doctor';
import { checkTemporal, type Checked } from '../temporal/check-temporal.ts';
import { readTemporalConfig } from '../temporal/temporal-config.ts';
import { keyPairsCheck } from './key-pairs.ts';

/** The checks that need nothing but the environment, which may be wrong: Temporal, and the keys. */
export function environmentChecks(record: EnvironmentRecord): readonly Check[] {
  const temporal = readTemporalConfig(record);
  return [keyPairsCheck(record), ...(temporal.kind === 'ok' ? [temporalCheck(temporal.config)] : [])];
}

/** Everything that is wrong with the environment and the server's file. `read` throws a ConfigurationError, as at a start. */
export function configurationCheck(record: EnvironmentRecord, read: () => unknown): Check {
  return {
    name: 'configuration',
    run() {
      try {
        read();
        return Promise.resolve(
          ok(`the environment and ${record['NEREID_CONFIG'] ?? 'nereid.server.yaml'} can be used`),
        );
      } catch (error) {
        if (error instanceof ConfigurationError) return Promise.resolve(failuresOf(error.problems));
        throw error;
      }
    },
  };
}

function temporalCheck(temporal: Checked): Check {
  const { namespace, server } = temporal;
  return {
    name: 'temporal',
    async run() {
      const checked = await checkTemporal(temporal);
      switch (checked.kind) {
        case 'fit':
          return ok(
            `${server.address ?? ''} has the namespace ${namespace} and its search attributes, version ${checked.serverVersion}`,
          );
        case 'away':
          return fail(
            `expected Temporal to answer at ${server.address ?? ''}, found: ${checked.why}; start it, or correct TEMPORAL_ADDRESS`,
          );
        case 'unfit':
          return failuresOf([checked.problem]);
      }
    },
  };
}
