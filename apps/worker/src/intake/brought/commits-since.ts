/** The commits that a deployment brings to its root, by git: lanes know only the last commit of each push. */
import { policyFor } from '@nereid/config';
import { fullName, type Deployment, type Repository } from '@nereid/contracts';
import { DiscoveryBudgetError } from '@nereid/discovery';
import { RevisionGoneError, RevisionTooLargeError, type BroughtCommits } from '@nereid/git';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RevisionTools } from '../intake-call.ts';
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

/** A person waits in front of a button for about this long; a first fetch of a large repository takes minutes. */
const FETCH_MS = 20_000;

/** It goes on, for the next press. */
export class StillFetchingError extends Error {
  override readonly name = 'StillFetchingError';
  readonly code = 'STILL_FETCHING';

  constructor(repository: Repository) {
    super(
      `it is not known yet who brought this change: ${fullName(repository)} is being fetched; press again in some minutes`,
    );
  }
}

async function listCommits(
  { context: { mirrors }, signal }: RevisionTools,
  repository: Repository,
  range: { readonly after: string; readonly upTo: string },
): Promise<BroughtCommits> {
  const known = await mirrors.commitsBrought(repository, range, signal);
  if (known !== undefined) return known;
  const waiting = new AbortController();
  // Without the signal of this call, whose end would end the fetch.
  const fetched = mirrors.bring(repository, [range.after, range.upTo]).then(() => true);
  try {
    const isThere = await Promise.race([fetched, sleep(FETCH_MS, false, { signal: waiting.signal })]);
    const brought = isThere ? await mirrors.commitsBrought(repository, range, signal) : undefined;
    if (brought === undefined) throw new StillFetchingError(repository);
    return brought;
  } finally {
    waiting.abort();
  }
}
