import type { EnvironmentRecord } from '@nereid/config';
import type { Check } from '@nereid/doctor';
import { processChecks } from '@nereid/process';
import { readConfig } from '../config.ts';

/** The gateway has nothing but its configuration and Temporal. */
export function openChecks(environment: EnvironmentRecord): readonly Check[] {
  return processChecks(
    environment,
    () => readConfig(environment, false),
    () => [],
  );
}
