import type { EnvironmentRecord } from '@nereid/config';
import type { Check } from '@nereid/doctor';
import { processChecks } from '@nereid/process';
import { readConfig } from '../platform/config/config.ts';
import { storageChecks } from './console-checks.ts';

/** The checks of a console that need not run. */
export function openChecks(environment: EnvironmentRecord): readonly Check[] {
  return processChecks(environment, () => readConfig(environment, false), storageChecks);
}
