/**
 * One branch: what was pushed since the last time has to have reached its lanes, whatever became of the webhooks.
 *
 * The mark is stored, because comparing with the newest known revision would hide a lost push behind a later one. It moves
 * when every root was brought; one that could not be stops no other. A branch that is seen for the first time is taken as it
 * is: installing Nereid deploys nothing.
 */
import { policyFor } from '@nereid/config';
import { fullName, shortSha, type BranchToReconcile, type Root } from '@nereid/contracts';
import { withMarks } from '@nereid/storage';
import type { WorkerContext } from '../context.ts';
import type { IntakeCall } from '../intake/intake-call.ts';
import type { Presses } from '../intake/presses.ts';
import { deployRoots } from '../intake/revisions/deploy-modified.ts';
import { findLost, findTouched, type Touch } from '../intake/revisions/touched.ts';

/** Some roots of a branch are not known to have what was pushed. The others have, and these are tried again. */
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

/** Answers what had not reached its lane, as a sentence. Throws `RootsNotReconciledError` after all that could be done. */
export async function reconcileBranch(
  context: WorkerContext,
  place: BranchToReconcile,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { repository, branch } = place;
  const policy = policyFor(context.server.current(), fullName(repository));
  const head = await context.mirrors.branchHead(repository, branch, signal);
  if (!policy || head === undefined) return [];
  const stored = await context.repositoryRecords.read(repository);
  const mark = stored?.record.branch === branch ? stored.record.reconciledTo : undefined;
  if (mark === head) return [];
  if (mark === undefined) {
    await moveMark(context, place, head);
    return [];
  }

  const call: IntakeCall = {
    context,
    delivery: 'reconcile',
    receivedAtMs: Date.now(),
    attempt: 1,
    signal,
    presses: NOBODYS,
  };
  const brought: Touch[] = [];
  const failed: Error[] = [];
  for (let from = await startOf(call, place, mark, head), isAll = false; !isAll;) {
    const touched = await findTouched(call, { repository, policy, from, upTo: head, most: COMMITS_AT_ONCE });
    const { lost, failures } = await findLost(call, repository, touched);
    const { touches, failures: notBrought } = await bring(call, place, lost);
    brought.push(...touches);
    failed.push(...failures.map(({ error }) => error), ...notBrought);
    // What failed is tried again, with all that came after it.
    if (failed.length === 0 && touched.readTo !== undefined) await moveMark(context, place, touched.readTo);
    ({ readTo: from, isAll } = touched);
  }

  const sentence = sentenceOf(repository, brought);
  if (sentence !== undefined)
    context.logger.info({ repository: fullName(repository), sentence }, 'brought what was lost');
  if (failed.length > 0) throw new RootsNotReconciledError(repository, failed);
  return sentence === undefined ? [] : [sentence];
}

/** So much is done again at most where a worker dies in the middle of a long stretch. */
const COMMITS_AT_ONCE = 100;

/** The mark, or after a forced push what a push from there would count from: where the branch left it, else the first parent. */
async function startOf(
  { context, signal }: IntakeCall,
  { repository }: BranchToReconcile,
  mark: string,
  head: string,
): Promise<string | undefined> {
  const { base } = await context.mirrors.changedFiles(repository, { kind: 'push', before: mark, after: head }, signal);
  const fields = { repository: fullName(repository), reconciledTo: mark, from: base };
  if (base !== mark) context.logger.warn(fields, 'the branch was forced since it was reconciled');
  return base;
}

interface Brought {
  readonly touches: readonly Touch[];
  readonly failures: readonly Error[];
}

/** Commit by commit. What fails stops no other. */
async function bring(call: IntakeCall, place: BranchToReconcile, lost: readonly Touch[]): Promise<Brought> {
  const touches: Touch[] = [];
  const failures: Error[] = [];
  for (const [sha, ofCommit] of Map.groupBy(lost, (touch) => touch.sha)) {
    call.signal.throwIfAborted();
    try {
      const roots = ofCommit.map(({ root }) => root);
      await deliver(call, place, roots, sha);
      touches.push(...ofCommit);
    } catch (error) {
      failures.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  return { touches, failures };
}

/** As the push would have. Who pushed nobody knows any more: whom GitHub knows as the commit's author stands for them. */
async function deliver(
  call: IntakeCall,
  { repository, branch }: BranchToReconcile,
  roots: readonly Root[],
  sha: string,
): Promise<void> {
  const [requestedBy = 'unknown'] = await call.context.github.commits.authors(repository, sha);
  const why = { trigger: 'merge', rerun: false, force: false, requestedBy } as const;
  await deployRoots({ ...call, delivery: `reconcile-${sha}` }, { repository, sha, branch, why }, roots);
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

/** No person asks for anything here. */
const NOBODYS: Presses = { accepted: () => undefined, refused: () => undefined, all: () => [] };
