/**
 * Commits of a branch that reached no lane: while a revision's configuration cannot be read, nobody knows which roots it
 * modifies. The next revision that can be read brings all of them.
 */
import { fullName, type Repository } from '@nereid/domain/root';
import type { RevisionRange } from '@nereid/git';
import { withMarks, type VersionedRepository } from '@nereid/storage';
import { isWithin } from '../../root/is-within.ts';
import type { IntakeCall } from '../intake-call.ts';

/** The part of a branch that one push brings. */
export interface Stretch {
  readonly repository: Repository;
  readonly branch: string;
  readonly before: string;
  readonly after: string;
}

export interface Undeployed {
  /** The commit after which nothing has reached a lane; undefined when nothing is left from before. */
  readonly since: string | undefined;
  readonly stored: VersionedRepository | undefined;
}

/** Stands for the time before the very first commit. */
const THE_BEGINNING = '0'.repeat(40);

/** Pushes come in any order: this one may be older than the commits that are left. */
export async function findUndeployed(
  call: IntakeCall,
  { repository, branch, before, after }: Stretch,
): Promise<Undeployed> {
  const stored = await call.context.repositoryRecords.read(repository);
  const since = stored?.record.branch === branch ? stored.record.undeployedSince : undefined;
  if (since === undefined || since === THE_BEGINNING) return { since, stored };
  // Commits that a forced push took away are no longer deployed.
  if (!(await isWithin(call, repository, since, after))) return { since: undefined, stored };
  return { since: (await isWithin(call, repository, before, since)) ? before : since, stored };
}

/** The range to deploy so that nothing is left; undefined when that is the push itself. */
export function rangeOf({ since }: Undeployed, { after }: Stretch): RevisionRange | undefined {
  if (since === undefined) return undefined;
  return since === THE_BEGINNING ? { kind: 'everything', sha: after } : { kind: 'push', before: since, after };
}

/** This push cannot be read either. Writes even without a change: another push may settle the same commits at this moment. */
export async function keepUndeployed(
  { context, signal }: IntakeCall,
  { repository, branch, before, after }: Stretch,
  { since, stored }: Undeployed,
): Promise<void> {
  const base = await context.mirrors.pushBase(repository, { before, after }, signal);
  const record = withMarks(stored, { repository, branch }, { undeployedSince: since ?? base ?? THE_BEGINNING });
  await context.repositoryRecords.write(record, stored?.version ?? null);
}

/** Everything up to this push has reached its lanes. Later commits are left to their own pushes. */
export async function settleUndeployed(
  call: IntakeCall,
  stretch: Stretch,
  { since, stored }: Undeployed,
): Promise<void> {
  if (since === undefined) return;
  const { context, signal } = call;
  const { repository, branch, after } = stretch;
  const isHead = (await context.mirrors.branchHead(repository, branch, signal)) === after;
  const record = withMarks(stored, { repository, branch }, { undeployedSince: isHead ? undefined : after });
  await context.repositoryRecords.write(record, stored?.version ?? null);
  context.logger.info({ repository: fullName(repository), since, revision: after }, 'brought undeployed commits');
}

/** The head of the branch if it has gone on after this push: the event of that head may have come before ours. */
export async function headAfter(call: IntakeCall, { repository, branch, after }: Stretch): Promise<string | undefined> {
  const head = await call.context.mirrors.branchHead(repository, branch, call.signal);
  return head !== undefined && head !== after && (await isWithin(call, repository, after, head)) ? head : undefined;
}
