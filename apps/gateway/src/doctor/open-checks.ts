import type { EnvironmentRecord } from '@nereid/config';
import type { Check } from '@nereid/doctor';
import { configurationCheck, environmentChecks } from '@nereid/process';
import { readConfig } from '../config.ts';

/** The gateway has nothing but its configuration and Temporal. */
export function openChecks(environment: EnvironmentRecord): readonly Check[] {
  return [configurationCheck(environment, () => readConfig(environment, false)), ...environmentChecks(environment)];
}
