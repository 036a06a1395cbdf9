/**
 * One branch: what was pushed since the last time has to have reached its lanes, whatever became of the webhooks.
 *
 * The mark is stored, because comparing with the newest known revision would hide a lost push behind a later one. A branch
 * that is seen for the first time is taken as it is: installing Nereid deploys nothing.
 */
import { policyFor, type RepositoryPolicy } from '@nereid/config';
import { fullName, type BranchToReconcile, type Root } from '@nereid/contracts';
import { RevisionGoneError } from '@nereid/git';
import { withMarks, type VersionedRepository } from '@nereid/storage';
import type { WorkerContext } from '../context.ts';
import type { IntakeCall } from '../intake/intake-call.ts';
import type { Presses } from '../intake/presses.ts';
import { deployRoots, discoverIn } from '../intake/revisions/deploy-modified.ts';

/** Of a longer absence, what was pushed before is looked at as one change. */
const COMMITS_LIMIT = 100;

/** Answers what had not reached its lane, as a sentence. */
export async function reconcileBranch(
  context: WorkerContext,
  { repository, branch }: BranchToReconcile,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const policy = policyFor(context.server.current(), fullName(repository));
  const head = await context.mirrors.branchHead(repository, branch, signal);
  if (!policy || head === undefined) return [];
  const stored = await context.repositoryRecords.read(repository);
  const mark = stored?.record.branch === branch ? stored.record.reconciledTo : undefined;
  if (mark === head) return [];
  const call: IntakeCall = {
    context,
    delivery: 'reconcile',
    receivedAtMs: Date.now(),
    attempt: 1,
    signal,
    presses: NOBODYS,
  };
  const from = mark === undefined ? undefined : await startOf(call, { repository, branch }, mark, head);
  if (from === undefined) {
    await moveMark(context, { repository, branch }, stored, head);
    return [];
  }

  const touched = await findTouched(call, { repository, branch }, policy, from, head);
  const lost = await notAccepted(call, { repository, branch }, touched);
  for (const { root, sha } of lost) await deliver(call, { repository, branch }, root, sha);
  if (touched.upTo !== mark) await moveMark(context, { repository, branch }, stored, touched.upTo);
  return lost.length === 0 ? [] : [sentenceOf(repository, lost)];
}

interface Touch {
  readonly root: Root;
  /** The newest commit of the branch that modifies it. */
  readonly sha: string;
}

interface Touched {
  readonly roots: readonly Touch[];
  /** Oldest first. */
  readonly commits: readonly string[];
  /** The last commit whose configuration could be read. */
  readonly upTo: string;
}

/** The mark, or after a forced push where the branch left it; undefined when nothing is known of it any more. */
async function startOf(
  { context: { mirrors }, signal }: IntakeCall,
  { repository }: BranchToReconcile,
  mark: string,
  head: string,
): Promise<string | undefined> {
  try {
    return await mirrors.mergeBase(repository, mark, head, signal);
  } catch (error) {
    if (error instanceof RevisionGoneError) return undefined;
    throw error;
  }
}

async function findTouched(
  call: IntakeCall,
  { repository }: BranchToReconcile,
  policy: RepositoryPolicy,
  from: string,
  head: string,
): Promise<Touched> {
  const range = { after: from, upTo: head, limit: COMMITS_LIMIT };
  const commits = await call.context.mirrors.commitsBetween(repository, range, call.signal);
  const roots = new Map<string, Touch>();
  let upTo = from;
  for (const sha of commits) {
    const change = { kind: 'push', before: upTo, after: sha } as const;
    const found = await discoverIn(call, { repository, policy, range: change });
    // Its own push says what is wrong. The next commit that can be read counts from before it.
    if (found.kind === 'problems') continue;
    for (const { root } of found.modified) roots.set(root.name, { root, sha });
    upTo = sha;
  }
  return { roots: [...roots.values()], commits, upTo };
}

/** A lane that accepted a later commit of the branch has this one with it. */
async function notAccepted(
  { context: { laneRecords } }: IntakeCall,
  { repository }: BranchToReconcile,
  { roots, commits }: Touched,
): Promise<readonly Touch[]> {
  const lost: Touch[] = [];
  for (const touch of roots) {
    const record = (await laneRecords.read(repository, touch.root.name))?.record;
    const accepted = new Set([...(record?.seen.merges ?? []), ...(record?.latest ? [record.latest.revision] : [])]);
    const laterOnes = commits.slice(commits.indexOf(touch.sha));
    if (!laterOnes.some((sha) => accepted.has(sha))) lost.push(touch);
  }
  return lost;
}

/** As the push would have. Who pushed nobody knows any more: whom GitHub knows as the commit's author stands for them. */
async function deliver(
  call: IntakeCall,
  { repository, branch }: BranchToReconcile,
  root: Root,
  sha: string,
): Promise<void> {
  const [requestedBy = 'unknown'] = await call.context.github.commits.authors(repository, sha);
  const why = { trigger: 'merge', rerun: false, force: false, requestedBy } as const;
  await deployRoots({ ...call, delivery: `reconcile-${sha}` }, { repository, sha, branch, why }, [root]);
}

async function moveMark(
  { repositoryRecords }: WorkerContext,
  place: BranchToReconcile,
  stored: VersionedRepository | undefined,
  reconciledTo: string,
): Promise<void> {
  await repositoryRecords.write(withMarks(stored, place, { reconciledTo }), stored?.version ?? null);
}

function sentenceOf(repository: BranchToReconcile['repository'], lost: readonly Touch[]): string {
  const names = lost.map(({ root, sha }) => `${root.name} at ${sha.slice(0, 7)}`);
  return `${fullName(repository)}: brought ${names.join(', ')}`.slice(0, 500);
}

/** No person asks for anything here. */
const NOBODYS: Presses = { accepted: () => undefined, refused: () => undefined, all: () => [] };
