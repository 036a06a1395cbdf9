/**
 * A manual deployment locks its lane, because the next merge would undo it. Once a merge brings the same to the branch, however
 * it was made of the pull request (merge commit, squash, rebase), there is nothing to undo: the merge lifts the lock.
 */
import { policyFor, type RepositoryPolicy } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import type { TakenTurn } from '@nereid/domain/lane';
import { fullName, type Repository, type Root } from '@nereid/domain/root';
import pMap from 'p-map';
import { unlockLane } from '../../lane/ask-lane.ts';
import type { RevisionTools } from '../../root/revision-tools.ts';
import { compareInputs, saysUnknowable } from '../../root/compare-inputs.ts';
import { discoverIn } from '../../root/discover.ts';

export interface Merge {
  readonly repository: Repository;
  readonly sha: string;
  /** The same for all attempts at one merge. */
  readonly source: string;
  /** Login of who merged. */
  readonly by: string;
  /** The forge's id of the same person, where the forge told it. */
  readonly byId?: number;
}

/** Lanes answer in milliseconds; more at once would only wait there. */
const AT_ONCE = 20;

/** A lane that cannot be unlocked stays locked, and its merge waits for a person. */
export async function unlockMerged(tools: RevisionTools, merge: Merge, roots: readonly Root[]): Promise<void> {
  const policy = policyFor(tools.context.server.current(), fullName(merge.repository));
  if (!policy?.unlockOnMerge) return;
  const locking = await lockingDeployments(tools, merge.repository, roots);
  for (const [applied, turns] of Map.groupBy(locking, ({ deployment }) => deployment.revision.sha)) {
    const isUnchanged = await unchangedSince(tools, policy, merge, applied);
    for (const { deployment } of turns) {
      const root = roots.find(({ name }) => name === deployment.root.name);
      if (root !== undefined && (await isUnchanged(root))) await unlock(tools, merge, deployment);
    }
  }
}

/** The manual deployments that were applied last, by what storage knows: anybody at Temporal's port could make some up. */
async function lockingDeployments(
  { context: { laneTurns, begunApplies } }: RevisionTools,
  repository: Repository,
  roots: readonly Root[],
): Promise<readonly TakenTurn[]> {
  const found = await pMap(
    roots,
    async ({ name }) => {
      const last = (await laneTurns.read(repository, name))?.last;
      if (last?.deployment.trigger !== 'manual' || last.deployment.rerun || last.lifted !== undefined) return [];
      const marker = await begunApplies.of(last.pool).read(last.deployment.id);
      return marker?.outcome?.kind === 'applied' ? [last] : [];
    },
    { concurrency: AT_ONCE },
  );
  return found.flat();
}

/** Returns which roots are the same in the merge as in the commit that was applied. */
async function unchangedSince(
  tools: RevisionTools,
  policy: RepositoryPolicy,
  { repository, sha }: Merge,
  applied: string,
): Promise<(root: Root) => Promise<boolean>> {
  const trees = { before: applied, after: sha };
  // The branch of the pull request may be deleted, and the forge has forgotten its commits.
  const found = await unlessUnknowable(discoverIn(tools, { repository, policy, range: { kind: 'trees', ...trees } }));
  if (found?.kind !== 'roots') return () => Promise.resolve(false);
  const changed = new Set([...found.modified.map(({ root }) => root.name), ...found.deleted]);
  return async (root) => {
    if (changed.has(root.name)) return false;
    const compared = await unlessUnknowable(compareInputs(tools, repository, root, trees));
    return compared !== undefined && compared.changed === undefined && compared.opaque === undefined;
  };
}

async function unlessUnknowable<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (saysUnknowable(error)) return undefined;
    throw error;
  }
}

async function unlock(
  tools: RevisionTools,
  { repository, sha, source, by, byId }: Merge,
  deployment: TakenTurn['deployment'],
): Promise<void> {
  const { logger, publish } = tools.context;
  const { id, root } = deployment;
  const askedAt = new Date().toISOString();
  const who = { by, ...defined({ byId }) };
  const requestId = `${source}:${root.name}:unlock`;
  const message = { version: 1, requestId, ...who, askedAt, deploymentId: id } as const;
  try {
    const answer = await unlockLane(tools, repository, root.name, message);
    if (answer.kind === 'unlocked')
      await publish({ kind: 'unlocked', id: requestId, repository, deployment, merge: sha });
  } catch (error) {
    if (tools.signal.aborted) throw error;
    const fields = { repository: fullName(repository), root: root.name, deployment: id, merge: sha };
    logger.warn({ err: error, ...fields }, 'the lane stays locked after the merge of a manual deployment');
  }
}
