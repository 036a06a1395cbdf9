/** The check run `nereid/removed`, which names the roots that a merge takes away. */
import type { RepositoryPolicy } from '@nereid/config';
import type { Discovered } from '@nereid/discovery';
import type { Repository } from '@nereid/domain/root';
import { renderRemovedRoots } from '@nereid/texts';
import type { IntakeCall } from '../intake-call.ts';

interface Merged {
  readonly repository: Repository;
  readonly policy: Pick<RepositoryPolicy, 'pullRequests'>;
  readonly sha: string;
}

/**
 * Written where nobody has read of them before the merge: pull requests are not planned, or the configuration before could not be
 * read. Overwrites the one of an earlier attempt.
 */
export async function showRemoved(
  { context: { forge } }: IntakeCall,
  { repository, policy, sha: headSha }: Merged,
  { deleted, isEarlierUnread }: Extract<Discovered, { kind: 'roots' }>,
): Promise<void> {
  const rootNames = policy.pullRequests === 'off' ? deleted : [];
  const isUnsure = isEarlierUnread === true;
  if (rootNames.length === 0 && !isUnsure) return;
  await forge.status.create(repository, renderRemovedRoots({ headSha, rootNames, isUnsure }), {
    creationUncertain: true,
  });
}
