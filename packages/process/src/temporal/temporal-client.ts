import { Client, type ClientOptions } from '@temporalio/client';
import type { TemporalConfig } from './temporal-config.ts';

/** Every client of the product is made here: one without the converter would send in the clear what others seal. */
export function createTemporalClient(
  { namespace, dataConverter }: Pick<TemporalConfig, 'namespace' | 'dataConverter'>,
  options: Pick<ClientOptions, 'connection' | 'workflow'>,
): Client {
  return new Client({ ...options, namespace, dataConverter });
}
