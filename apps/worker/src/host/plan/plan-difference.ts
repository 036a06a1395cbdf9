/** A host must apply a plan under the same conditions under which it was made. */
import type { PlanDescription } from '@nereid/storage';

/** Why this host cannot apply the plan; undefined when it can. */
export function planDifference(made: PlanDescription, here: PlanDescription): string | undefined {
  if (binaryOf(made) !== binaryOf(here)) return `it was made with ${binaryOf(made)}, this host has ${binaryOf(here)}`;
  if (made.path !== here.path) return `it was made in ${made.path}, this host has its root in ${here.path}`;
  if (made.lockFileDigest === here.lockFileDigest) return undefined;
  return `it was made with ${lockFileOf(made)}, this host has ${lockFileOf(here)}`;
}

const NAMES = { terraform: 'Terraform', tofu: 'OpenTofu' } as const;

function binaryOf({ distribution, terraformVersion }: PlanDescription): string {
  return `${NAMES[distribution]} ${terraformVersion}`;
}

function lockFileOf({ lockFileDigest }: PlanDescription): string {
  return lockFileDigest === null ? 'no lock file' : `the lock file ${lockFileDigest.slice(0, 12)}`;
}
