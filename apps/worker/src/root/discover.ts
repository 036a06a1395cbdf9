/**
 * Finds the roots of a revision. What the revision asks for beyond its limits is a problem of its configuration, shown on the forge,
 * and no failure that Temporal would try again.
 */
import type { RepositoryPolicy } from '@nereid/config';
import { fullName, type Repository } from '@nereid/domain/root';
import { DiscoveryBudgetError, type Discovered, type FoundRoots, type Problems } from '@nereid/discovery';
import { inRolloutOrder } from '@nereid/domain/rollout';
import { RevisionTooLargeError, type RevisionRange } from '@nereid/git';
import type { WorkerContext } from '../platform/context.ts';

export type DiscoverContext = Pick<WorkerContext, 'mirrors' | 'discovery' | 'refusedRevisions' | 'logger'>;

/** Aborted when the caller wants no answer any more. */
interface DiscoverTools {
  readonly context: DiscoverContext;
  readonly signal: AbortSignal;
}

export interface RevisionRequest {
  readonly repository: Repository;
  readonly policy: RepositoryPolicy;
}

/** The roots that a range of commits modifies: first those that go before others. */
export async function discoverIn(
  tools: DiscoverTools,
  { repository, policy, range }: RevisionRequest & { readonly range: RevisionRange },
): Promise<Discovered> {
  const { context, signal } = tools;
  const { mirrors, discovery } = context;
  return unlessRefused(tools, repository, refusedAs(range), async () => {
    const { base, head, files } = await mirrors.changedFiles(repository, range, signal);
    const found = await discovery.discoverRoots({
      repository: fullName(repository),
      tree: mirrors.tree(repository, head, signal),
      policy,
      changed: files,
      signal,
      ...(base !== undefined && { before: mirrors.tree(repository, base, signal) }),
    });
    return found.kind === 'problems' ? found : inOrder(found);
  });
}

function inOrder(found: Extract<Discovered, { kind: 'roots' }>): Discovered {
  const byName = new Map(found.modified.map((one) => [one.root.name, one]));
  const names = inRolloutOrder(found.ordering, [...byName.keys()]);
  return { ...found, modified: names.flatMap((name) => byName.get(name) ?? []) };
}

/** Roots of one revision by their names. */
export async function findIn(
  tools: DiscoverTools,
  { repository, policy, sha, names }: RevisionRequest & { readonly sha: string; readonly names: readonly string[] },
): Promise<FoundRoots> {
  const { context, signal } = tools;
  const tree = context.mirrors.tree(repository, sha, signal);
  return unlessRefused(tools, repository, sha, async () =>
    context.discovery.findRoots({ repository: fullName(repository), tree, policy, names, signal }),
  );
}

/** Lets the next discovery compute for the revision again. */
export function forgetRefusal({ context }: DiscoverTools, repository: Repository, sha: string): void {
  context.refusedRevisions.delete(keyOf(repository, sha));
}

/** Whether a discovery of the revision would be answered at once. */
export function isRefused({ context }: DiscoverTools, repository: Repository, sha: string): boolean {
  return context.refusedRevisions.has(keyOf(repository, sha));
}

async function unlessRefused<T>(
  { context: { refusedRevisions, logger } }: DiscoverTools,
  repository: Repository,
  sha: string,
  ask: () => Promise<T>,
): Promise<T | Problems> {
  const known = refusedRevisions.get(keyOf(repository, sha));
  if (known) return known;
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof RevisionTooLargeError || error instanceof DiscoveryBudgetError)) throw error;
    logger.warn({ err: error, repository: fullName(repository), revision: sha }, 'a revision was refused');
    const problems: Problems = {
      kind: 'problems',
      file: 'nereid.yaml',
      problems: [{ path: '', message: error.message }],
    };
    refusedRevisions.set(keyOf(repository, sha), problems);
    return problems;
  }
}

function keyOf(repository: Repository, sha: string): string {
  return `${fullName(repository)}@${sha}`;
}

function refusedAs(range: RevisionRange): string {
  switch (range.kind) {
    case 'push':
    case 'trees':
      return range.after;
    // Somebody may push the same head as a smaller change.
    case 'pull-request':
      return `${range.base}...${range.head}`;
    case 'commit':
    case 'everything':
      return range.sha;
  }
}
