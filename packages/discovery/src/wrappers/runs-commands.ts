import { resolveRoot, type RepositoryPolicy } from '@nereid/config';
import type { PlacedRoot } from '../placed-root.ts';

/** Whether a step of its plan may run another program. */
export function runsCommands({ config, place }: PlacedRoot, policy: RepositoryPolicy): boolean {
  return resolveRoot(policy, config, place).steps.plan.some((step) => 'run' in step);
}
