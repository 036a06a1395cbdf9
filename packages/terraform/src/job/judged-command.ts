/**
 * How a command runs whose output people and policies judge, such as `terraform show`, which starts the providers of the root.
 * Their code must not write that output, nor around it: a JSON document is worth another one when it stands within it.
 *
 * 1. The output is a socket of the launcher's, which only Terraform has: see `stdoutFile` of `runCommand`.
 * 2. There is no /proc, by which one process reaches the descriptors of another: those of its output, and the pipes of anything
 *    between Terraform and us. Providers in Go need none: that of AWS shows the same plan without it.
 * 3. Terraform before 1.1 starts itself again, which takes a /proc, and then leaves its output open to providers. `TF_FORK=0`
 *    tells it not to.
 *
 * What is in the folders `unchanged`, of real paths, can be read only.
 */
import type { Command } from '@nereid/subprocess';
import type { Job } from './job.ts';

export function judgedCommand(
  job: Job,
  { unchanged = [] }: { readonly unchanged?: readonly string[] } = {},
): Pick<Command, 'env' | 'cwd' | 'sandbox'> {
  const files = unchanged.map((path) => ({ path, access: 'read' }) as const);
  const sandbox = job.sandbox({ planAccess: 'read', proc: 'none', files });
  return { env: { ...job.env(), TF_FORK: '0' }, cwd: job.rootDir, sandbox };
}
