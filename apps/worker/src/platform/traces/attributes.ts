/** Attributes by the semantic conventions of OpenTelemetry for CI/CD and version control. Names and ids only: no content. */
import type { EndedStatus, Revision } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';

type Attributes = Readonly<Record<string, string>>;

export function revisionAttributes(
  { owner, name }: Pick<Repository, 'owner' | 'name'>,
  { sha, branch }: Pick<Revision, 'sha' | 'branch'>,
): Attributes {
  return {
    'vcs.owner.name': owner,
    'vcs.repository.name': name,
    'vcs.ref.head.revision': sha,
    'vcs.ref.head.name': branch,
    'vcs.ref.head.type': 'branch',
  };
}

type Result = 'success' | 'failure' | 'error' | 'timeout' | 'cancellation' | 'skip';

/** In the words of the conventions. */
export const RESULTS: Readonly<Record<EndedStatus, Result>> = {
  succeeded: 'success',
  'no-changes': 'success',
  planned: 'success',
  'plan-failed': 'failure',
  'apply-failed': 'failure',
  refused: 'failure',
  'apply-outcome-unknown': 'error',
  'host-lost': 'error',
  expired: 'timeout',
  rejected: 'cancellation',
  cancelled: 'cancellation',
  skipped: 'skip',
};

export function hasFailed(status: EndedStatus): boolean {
  const result = RESULTS[status];
  return result === 'failure' || result === 'error';
}
