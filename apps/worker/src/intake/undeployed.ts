/**
 * What of a branch reached no lane: while a revision's configuration cannot be read, nobody knows which roots it modifies.
 * The next revision that can be read brings all of it.
 */
import { fullName, type Repository } from '@nereid/contracts';
import { RevisionGoneError } from '@nereid/git';
import type { VersionedRepository } from '@nereid/storage';
import type { IntakeCall } from './intake-call.ts';

/** The part of a branch that one push brings. */
export interface Stretch {
  readonly repository: Repository;
  readonly branch: string;
  readonly before: string;
  readonly after: string;
}

export interface Undeployed {
  /** The commit after which nothing has reached a lane; undefined: nothing is left from before. */
  readonly since: string | undefined;
  readonly stored: VersionedRepository | undefined;
}

/** Pushes come in any order: this one may be older than what is left. */
export async function findUndeployed(
  call: IntakeCall,
  { repository, branch, before, after }: Stretch,
): Promise<Undeployed> {
  const stored = await call.context.repositoryRecords.read(repository);
  const since = stored?.record.branch === branch ? stored.record.undeployedSince : undefined;
  // What a forced push took away is not deployed any more.
  if (since === undefined || !(await isWithin(call, repository, since, after))) return { since: undefined, stored };
  return { since: (await isWithin(call, repository, before, since)) ? before : since, stored };
}

/** This push cannot be read either. */
export async function keepUndeployed(
  { context, signal }: IntakeCall,
  { repository, branch, before, after }: Stretch,
  { since, stored }: Undeployed,
): Promise<void> {
  const { base } = await context.mirrors.changedFiles(repository, { kind: 'push', before, after }, signal);
  const undeployedSince = since ?? base;
  // The first commit of all comes after none.
  if (undeployedSince === undefined || stored?.record.undeployedSince === undeployedSince) return;
  const record = { version: 1, repository, branch, undeployedSince } as const;
  await context.repositoryRecords.write(record, stored?.version ?? null);
}

/** Everything up to this push is with its lanes. What came after it is another's to bring. */
export async function settleUndeployed(
  { context, signal }: IntakeCall,
  { repository, branch, after }: Stretch,
  { since, stored }: Undeployed,
): Promise<void> {
  if (since === undefined) return;
  const isHead = (await context.mirrors.branchHead(repository, branch, signal)) === after;
  const rest = isHead ? {} : { undeployedSince: after };
  await context.repositoryRecords.write({ version: 1, repository, branch, ...rest }, stored?.version ?? null);
  context.logger.info({ repository: fullName(repository), since, revision: after }, 'brought what was left undeployed');
}

async function isWithin(
  { context: { mirrors }, signal }: IntakeCall,
  repository: Repository,
  sha: string,
  head: string,
): Promise<boolean> {
  try {
    return await mirrors.isAncestor(repository, sha, head, signal);
  } catch (error) {
    if (error instanceof RevisionGoneError) return false;
    throw error;
  }
}
