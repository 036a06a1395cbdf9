import { ConfigurationError, type EnvironmentRecord, type LocatedProblem } from '@nereid/config';
import { fail, failuresOf, ok, skip, type Check, type Finding } from '@nereid/doctor';
import { checkTemporal, type Checked } from '../temporal/check-temporal.ts';
import { readTemporalConfig } from '../temporal/temporal-config.ts';
import { keyPairsCheck } from './key-pairs.ts';

/**
 * The checks of a process: its configuration, its keys, Temporal, and where its configuration can be read, its own. `read` throws a
 * ConfigurationError, as at a start.
 */
export function processChecks<T>(
  record: EnvironmentRecord,
  read: () => T,
  checksOf: (config: T) => readonly Check[],
): readonly Check[] {
  const config = configOf(read);
  const temporal = readTemporalConfig(record);
  return [
    { name: 'configuration', run: () => Promise.resolve(judge(record, config)) },
    keyPairsCheck(record),
    ...(temporal.kind === 'ok' ? [temporalCheck(temporal.config)] : []),
    ...(config.kind === 'ok' ? checksOf(config.value) : [NOT_YET]),
  ];
}

type ConfigRead<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'invalid'; readonly problems: readonly LocatedProblem[] };

function configOf<T>(read: () => T): ConfigRead<T> {
  try {
    return { kind: 'ok', value: read() };
  } catch (error) {
    if (error instanceof ConfigurationError) return { kind: 'invalid', problems: error.problems };
    throw error;
  }
}

function judge(record: EnvironmentRecord, config: ConfigRead<unknown>): Finding | readonly Finding[] {
  if (config.kind === 'invalid') return failuresOf(config.problems);
  return ok(`the environment and ${record['NEREID_CONFIG'] ?? 'nereid.server.yaml'} can be used`);
}

const NOT_YET: Check = {
  name: 'everything else',
  run: () => Promise.resolve(skip('the configuration has to be right first')),
};

/** Asks Temporal again. */
export function temporalCheck(temporal: Checked): Check {
  const { namespace, server } = temporal;
  const { address = '' } = server;
  return {
    name: 'temporal',
    async run() {
      const checked = await checkTemporal(temporal);
      switch (checked.kind) {
        case 'fit':
          return ok(
            `${address} has the namespace ${namespace} and its search attributes, version ${checked.serverVersion}`,
          );
        case 'away':
          return fail(
            `expected Temporal to answer at ${address}, found: ${wordsOf(checked.why)}; start it, or correct TEMPORAL_ADDRESS`,
          );
        case 'unfit':
          return failuresOf([checked.problem]);
      }
    },
  };
}

/** Without gRPC's advice, which is empty. */
function wordsOf(why: string): string {
  return why.replace(/\.? Resolution note:.*$/s, '');
}
