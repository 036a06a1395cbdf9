/**
 * One branch: what was pushed since the last time has to have reached its lanes, whatever became of the webhooks.
 *
 * The mark is stored, because comparing with the newest known revision would hide a lost push behind a later one. It moves
 * when every root was brought; one that could not be stops no other. A branch that is seen for the first time is taken as it
 * is: installing Nereid deploys nothing.
 */
import { policyFor } from '@nereid/config';
import { fullName, shortSha, type BranchToReconcile, type Root } from '@nereid/contracts';
import { withMarks, type VersionedRepository } from '@nereid/storage';
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
    await moveMark(context, place, stored, head);
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
  const touched = await findTouched(call, {
    repository,
    policy,
    from: await startOf(call, place, mark, head),
    upTo: head,
  });
  const { lost, failures } = await findLost(call, repository, touched);
  const brought = await bring(call, place, lost);
  const sentence = sentenceOf(repository, brought.touches);
  if (sentence !== undefined)
    context.logger.info({ repository: fullName(repository), sentence }, 'brought what was lost');
  const all = [...failures.map(({ error }) => error), ...brought.failures];
  if (all.length > 0) throw new RootsNotReconciledError(repository, all);
  if (touched.readTo !== undefined && touched.readTo !== mark) await moveMark(context, place, stored, touched.readTo);
  return sentence === undefined ? [] : [sentence];
}

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
  stored: VersionedRepository | undefined,
  reconciledTo: string,
): Promise<void> {
  await repositoryRecords.write(withMarks(stored, place, { reconciledTo }), stored?.version ?? null);
}

function sentenceOf(repository: BranchToReconcile['repository'], lost: readonly Touch[]): string | undefined {
  if (lost.length === 0) return undefined;
  const names = lost.map(({ root, sha }) => `${root.name} at ${shortSha(sha)}`);
  return `${fullName(repository)}: brought ${names.join(', ')}`.slice(0, 500);
}

/** No person asks for anything here. */
const NOBODYS: Presses = { accepted: () => undefined, refused: () => undefined, all: () => [] };
