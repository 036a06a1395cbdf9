/**
 * Reconciles one branch: every commit since the last round must have reached its lanes, whatever became of the webhooks.
 *
 * The mark is stored, because comparing with the newest known revision would hide a lost push behind a later one. It moves
 * only when every root has its commits; a root that fails does not stop the others. A branch that is seen for the first time
 * is taken as it is: installing Nereid deploys nothing.
 */
import { policyFor } from '@nereid/config';
import type { BranchToReconcile } from '@nereid/domain/activities';
import { shortSha } from '@nereid/domain/deployment';
import { fullName } from '@nereid/domain/root';
import { withMarks } from '@nereid/storage';
import type { WorkerContext } from '../platform/context.ts';
import { pushersOf } from '../person/pushers.ts';
import type { RevisionTools } from '../root/revision-tools.ts';
import { deployRoots, requestedBy } from '../intake/revisions/deploy-modified.ts';
import { notifyPullRequestsOfMerge } from '../pull-request/notify-pull-requests.ts';
import { findLost, findTouched, type Touch } from '../intake/revisions/touched.ts';

/** Some roots of a branch may lack a pushed commit, and are tried again. The others have theirs. */
export class RootsNotReconciledError extends Error {
  override readonly name = 'RootsNotReconciledError';
  readonly code = 'ROOTS_NOT_RECONCILED';
  readonly failures: readonly Error[];

  constructor(repository: BranchToReconcile['repository'], failures: readonly Error[]) {
    const why = failures.map(({ message }) => message).join('; ');
    super(`expected to reconcile every root of ${fullName(repository)}, found ${failures.length} failures: ${why}`, {
      cause: failures[0],
    });
    this.failures = failures;
  }
}

/**
 * Returns a sentence that names the roots whose commits had not reached their lanes, or the missing branch, if there are any. Throws
 * `RootsNotReconciledError` after all other roots are done. `limit`, for tests: the commits of one look.
 */
export async function reconcileBranch(
  context: WorkerContext,
  place: BranchToReconcile,
  signal: AbortSignal,
  limit?: number,
): Promise<readonly string[]> {
  const { repository, branch } = place;
  const policy = policyFor(context.server.current(), fullName(repository));
  const head = await context.mirrors.branchHead(repository, branch, signal);
  if (!policy) return [];
  if (head === undefined) return policy.branch === branch ? [branchGone(context, place)] : [];
  const stored = await context.repositoryRecords.read(repository);
  const mark = stored?.record.branch === branch ? stored.record.reconciledTo : undefined;
  if (mark === head) return [];
  // The place comes through Temporal. Commits of another branch would be deployed as if they had been merged.
  if (branch !== (policy.branch ?? (await context.forge.repositories.defaultBranch(repository)))) return [];
  if (mark === undefined) {
    await moveMark(context, place, head);
    return [];
  }

  const tools = { context, signal };
  const from = await startOf(tools, place, mark, head);
  const touched = await findTouched(tools, { repository, policy, from, upTo: head, limit });
  const { lost, failures } = await findLost(tools, repository, touched);
  const brought = await deliverAll(tools, place, lost, from);
  const sentence = sentenceOf(repository, brought.touches);
  if (sentence !== undefined)
    context.logger.info({ repository: fullName(repository), sentence }, 'delivered lost commits to their lanes');
  const all = [...failures.map(({ error }) => error), ...brought.failures];
  if (all.length > 0) throw new RootsNotReconciledError(repository, all);
  // What is left of a very long stretch is the next look's.
  if (touched.readTo !== undefined) await moveMark(context, place, touched.readTo);
  return sentence === undefined ? [] : [sentence];
}

/** Nothing is deployed of a repository whose branch was renamed on GitHub, and not in the server's file, and no push would say so. */
function branchGone({ logger }: WorkerContext, { repository, branch }: BranchToReconcile): string {
  const name = fullName(repository);
  const sentence = `${name}: expected the branch ${branch}, which the server's file names, found none, so nothing of it is deployed; correct repositories.branch`;
  logger.warn({ repository: name, branch }, sentence);
  return sentence;
}

/** The mark; after a forced push the merge base with the mark, or else the head's first parent, as for any such push. */
async function startOf(
  { context, signal }: RevisionTools,
  { repository }: BranchToReconcile,
  mark: string,
  head: string,
): Promise<string | undefined> {
  const base = await context.mirrors.pushBase(repository, { before: mark, after: head }, signal);
  const fields = { repository: fullName(repository), reconciledTo: mark, from: base };
  if (base !== mark) context.logger.warn(fields, 'the branch was force-pushed since it was reconciled');
  return base;
}

interface Brought {
  readonly touches: readonly Touch[];
  readonly failures: readonly Error[];
}

/** Brings the commits one by one. A commit that fails does not stop the others. */
async function deliverAll(
  tools: RevisionTools,
  place: BranchToReconcile,
  lost: readonly Touch[],
  from: string | undefined,
): Promise<Brought> {
  const touches: Touch[] = [];
  const failures: Error[] = [];
  for (const [sha, ofCommit] of Map.groupBy(lost, (touch) => touch.sha)) {
    tools.signal.throwIfAborted();
    try {
      await deliver(tools, place, ofCommit, { sha, from });
      touches.push(...ofCommit);
    } catch (error) {
      failures.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  return { touches, failures };
}

/** Does the same as the push. Where the forge's record of pushes does not say who that was, an author that the forge knows stands in. */
async function deliver(
  tools: RevisionTools,
  { repository, branch }: BranchToReconcile,
  touches: readonly Touch[],
  { sha, from }: { readonly sha: string; readonly from: string | undefined },
): Promise<void> {
  const pushers = (await pushersOf(tools, repository, branch, [sha])).get(sha)?.people ?? [];
  const { people: authors } = await tools.context.forge.commits.contributors(repository, sha);
  const [who = { login: 'unknown' }] = [...pushers, ...authors];
  const why = { trigger: 'merge', rerun: false, force: false, ...requestedBy(who) } as const;
  const roots = touches.map(({ root }) => root);
  const { ordering = [], configWarnings = [] } = touches[0] ?? {};
  const since = () => Promise.resolve(from);
  const request = { repository, sha, branch, why, source: `reconcile-${sha}`, since, ordering, configWarnings };
  const { stopped } = await deployRoots(tools, request, roots);
  await notifyPullRequestsOfMerge(
    tools.context,
    repository,
    roots.map(({ name }) => name),
  );
  if (stopped.length > 0) throw new Error(stopped.map(({ sentence }) => sentence).join('; '));
}

async function moveMark(
  { repositoryRecords }: WorkerContext,
  place: BranchToReconcile,
  reconciledTo: string,
): Promise<void> {
  const stored = await repositoryRecords.read(place.repository);
  if (stored?.record.branch === place.branch && stored.record.reconciledTo === reconciledTo) return;
  await repositoryRecords.write(withMarks(stored, place, { reconciledTo }), stored?.version ?? null);
}

function sentenceOf(repository: BranchToReconcile['repository'], lost: readonly Touch[]): string | undefined {
  if (lost.length === 0) return undefined;
  const names = lost.map(({ root, sha }) => `${root.name} at ${shortSha(sha)}`);
  return `${fullName(repository)}: brought ${names.join(', ')}`.slice(0, 500);
}
