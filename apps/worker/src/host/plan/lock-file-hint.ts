import type { Failure } from '@nereid/domain/host';
import type { Distribution } from '@nereid/domain/root';
import { withHint } from './hint.ts';

/** Of Terraform and of OpenTofu, where a provider's package has none of the hashes in the lock file. */
const REFUSED = /match any of the checksums (?:previously )?recorded in the dependency lock file/;

/** As Terraform names platforms. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64', ia32: '386', arm: 'arm' };

/** Says which command adds the hashes of the hosts to a lock file that was written on another platform. */
export function withLockFileHint(failure: Failure, distribution: Distribution): Failure {
  if (!REFUSED.test([failure.summary, ...failure.lines].join(' ').replaceAll(/\s+/g, ' '))) return failure;
  const platform = `${process.platform}_${ARCHITECTURES[process.arch] ?? process.arch}`;
  return withHint(
    failure,
    `Hosts run on ${platform}. If the lock file was written elsewhere, run "${distribution} providers lock -platform=${platform}" in the directory of the root, and commit .terraform.lock.hcl.`,
  );
}
