/** The commits that a deployment brings to its root, by git: lanes know only the last commit of each push. */
import { policyFor } from '@nereid/config';
import type { Deployment } from '@nereid/domain/deployment';
import { fullName, type Repository } from '@nereid/domain/root';
import { DiscoveryBudgetError } from '@nereid/discovery';
import { RevisionGoneError, RevisionTooLargeError, type BroughtCommits } from '@nereid/git';
import type { RevisionTools } from '../../root/revision-tools.ts';
import { fetchBriefly, StillFetchingError } from '../../person/fetch-briefly.ts';
import { lastDeployed } from './last-deployed.ts';

export interface CommitsSince {
  /** Those that modify the root. */
  readonly touching: readonly string[];
  readonly others: ReadonlySet<string>;
  /** Whether there may be more that modify it. */
  readonly hasMore: boolean;
}

const NOT_KNOWN: CommitsSince = { touching: [], others: new Set(), hasMore: true };

/** Throws `StillFetchingError`. */
export async function commitsSince(
  call: RevisionTools,
  repository: Repository,
  deployment: Deployment,
): Promise<CommitsSince> {
  const after = await lastDeployed(call.context, repository, deployment);
  if (after === undefined) return NOT_KNOWN;
  try {
    return await sortCommits(call, repository, deployment, after);
  } catch (error) {
    const isTooMuch = error instanceof RevisionTooLargeError || error instanceof DiscoveryBudgetError;
    // A forced push took the earlier commit away, and the server has removed it.
    if (isTooMuch || error instanceof RevisionGoneError) return NOT_KNOWN;
    throw error;
  }
}

async function sortCommits(
  call: RevisionTools,
  repository: Repository,
  { root, revision: { sha } }: Deployment,
  after: string,
): Promise<CommitsSince> {
  const { context, signal } = call;
  const policy = policyFor(context.server.current(), fullName(repository));
  if (policy === undefined) return NOT_KNOWN;
  const { commits, isCut } = await listCommits(call, repository, { after, upTo: sha });
  if (commits.length === 0) return { touching: [], others: new Set(), hasMore: false };
  const found = await context.discovery.findTouching({
    repository: fullName(repository),
    tree: context.mirrors.tree(repository, sha, signal),
    policy,
    rootName: root.name,
    changes: commits.map(({ files }) => files),
    signal,
  });
  if (found.kind !== 'touching') return NOT_KNOWN;
  const [touching, others] = [true, false].map((isTouched) =>
    commits.flatMap((commit, index) => (found.isTouched[index] === isTouched ? [commit.sha] : [])),
  );
  return { touching: touching ?? [], others: new Set(others), hasMore: isCut };
}

async function listCommits(
  { context, signal }: RevisionTools,
  repository: Repository,
  range: { readonly after: string; readonly upTo: string },
): Promise<BroughtCommits> {
  const { mirrors } = context;
  const known = await mirrors.commitsBrought(repository, range, signal);
  if (known !== undefined) return known;
  await fetchBriefly(context, repository, [range.after, range.upTo]);
  const brought = await mirrors.commitsBrought(repository, range, signal);
  if (brought === undefined) throw new StillFetchingError(repository);
  return brought;
}
