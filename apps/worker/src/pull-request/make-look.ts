/** What is planned of a pull request, as the forge and git have it, and the orders of the plans that are missing. */
import type { RepositoryPolicy } from '@nereid/config';
import type {
  PreviewRef,
  PreviewSubject,
  PullRequestLook,
  PullRequestRecord,
  PullRequestVerdict,
} from '@nereid/domain/pull-request';
import type { Repository, Root } from '@nereid/domain/root';
import type { PullRequest } from '@nereid/forge';
import { RevisionGoneError } from '@nereid/git';
import pMap from 'p-map';
import type { RevisionTools } from '../root/revision-tools.ts';
import { isIdle, notRenewed } from './eligibility/not-renewed.ts';
import { tooManyPlanned } from './eligibility/too-many-planned.ts';
import { whyUnplanned } from './eligibility/why-unplanned.ts';
import { GIT_CATCHES_UP_MS, headNotThereYet } from './merge-group.ts';
import { AT_ONCE, orderPreviews } from './previews.ts';
import { failure, findWantedRoots, ROOTS_LIMIT } from './roots/find-wanted-roots.ts';
import { branchAt } from './stale/branch-at.ts';
import { keptPreviews, marksAny, MERGE_MS } from './stale/kept-previews.ts';
import type { Renewals } from './stale/renewals.ts';

/** More check runs than anybody reads on one commit. All plans are in the table of the pull request. */
const CHECK_RUNS_LIMIT = 30;

export interface Subject {
  readonly tools: RevisionTools;
  readonly repository: Repository;
  readonly id: PreviewSubject;
  readonly policy: RepositoryPolicy;
  /** For a group, the last one, with the group's head. */
  readonly pullRequest: PullRequest;
  readonly record: PullRequestRecord;
  /** Which plans may not be true any more. */
  readonly stale: Renewals;
}

/** The same object as before when nothing has changed. */
export async function makeLook(subject: Subject): Promise<PullRequestLook> {
  const { tools, repository, policy, pullRequest, record, stale } = subject;
  const { headSha, baseBranch } = pullRequest;
  const last = record.look;
  const headAt = (last?.headSha === headSha ? last.headAt : undefined) ?? pullRequest.updatedAt;
  const seen = { isOpen: pullRequest.state === 'open', headSha, headAt, baseBranch, at: new Date().toISOString() };
  if (!seen.isOpen || policy.pullRequests === 'off' || !isForBase(policy, pullRequest))
    return { ...seen, previews: [] };
  const isSame = last?.isOpen === true && last.headSha === headSha && last.baseBranch === baseBranch;
  const [commentName] = tools.context.server.current().commentNames;
  const verdict = whyUnplanned({ policy, pullRequest, record, commentName });
  const hasPlans = isSame && last.previews.length > 0;
  if (verdict && hasPlans && !pullRequest.fromFork) return notRenewed(last, 'draft');
  if (verdict) return { ...seen, previews: [], verdict };

  const baseSha = await tools.context.mirrors.branchHead(repository, baseBranch, tools.signal);
  if (baseSha === undefined) return { ...seen, previews: [], verdict: failure(`there is no branch ${baseBranch}`) };
  const asked = record.asked?.headSha === headSha ? record.asked : undefined;
  const isAsked = asked !== undefined && asked.requestId !== last?.requestId;
  // While its plans were not renewed, nobody looked what was deployed.
  const stands = isSame && last.notRenewed === undefined;
  if (stands && last.baseSha === baseSha && !isAsked && !marksAny(stale, last)) return last;
  if (hasPlans && !isAsked && isIdle(pullRequest)) return notRenewed(last, 'idle');

  const based = { ...seen, baseSha, ...(asked && { requestId: asked.requestId }) };
  const merged = record.group ? ({ kind: 'merged', sha: headSha } as const) : await mergeWithin(subject, baseSha);
  if ('verdict' in merged) return { ...based, previews: [], verdict: merged.verdict };
  if (merged.kind !== 'merged') return { ...based, previews: [], verdict: unmerged(merged, baseBranch) };
  const found = await findWantedRoots(subject, baseSha, merged.sha);
  if ('verdict' in found) return { ...based, mergedSha: merged.sha, previews: [], verdict: found.verdict };
  const isNew = !hasPlans && record.group === undefined;
  const full = isNew ? await tooManyPlanned(tools.context, repository, pullRequest, commentName) : undefined;
  // Without the base: the next look does not stop at it.
  if (full) return { ...seen, previews: [], verdict: full };
  const { roots, named, gone, configWarnings } = found;
  const names = (of: readonly Root[]) => of.map(({ name }) => name);
  const current = { planned: new Set(names([...roots, ...named])), removed: new Set(names(gone)) };
  const keeping = { record, stale, policy, merged: merged.sha, baseSha, isAsked };
  const before = stands ? await keptPreviews(tools, repository, { ...keeping, last }) : [];
  const kept = before.filter(({ rootName, isRemoval }) => current[isRemoval ? 'removed' : 'planned'].has(rootName));
  // Which of them change something, nobody knows before they are planned.
  const shown = new Set(
    names([...roots, ...named, ...gone])
      .toSorted()
      .slice(0, CHECK_RUNS_LIMIT),
  );
  const isMissing = ({ name }: Root) => !kept.some(({ rootName }) => rootName === name);
  const missing = names([...roots, ...named, ...gone].filter(isMissing));
  const ahead = await undeployedIn(subject, missing);
  const preview = { headSha, baseSha, ...(record.group && { group: headSha }) };
  const ordering = {
    ...{ repository, pullRequest, preview, mergedSha: merged.sha, roots: roots.filter(isMissing) },
    earlier: last?.previews ?? [],
    ahead,
    hasCheckRun: ({ name }: Root) => shown.has(name),
    requestId: orderedBy(subject, stands, asked?.requestId),
  };
  const removing = {
    mergedSha: baseSha,
    preview: { ...preview, isRemoval: true as const },
    roots: gone.filter(isMissing),
  };
  const ordered = await orderPreviews(tools, ordering);
  const orderedByName = await orderPreviews(tools, { ...ordering, roots: named.filter(isMissing), isNamed: true });
  const orderedRemovals = await orderPreviews(tools, { ...ordering, ...removing });
  const unplanned = found.unplanned > 0 && { unplanned: found.unplanned };
  const removed = found.removed.length > 0 && { removed: found.removed.slice(0, ROOTS_LIMIT) };
  const planned = [...ordered, ...orderedByName].map((preview) => withReason(subject, preview));
  const previews = [...kept, ...planned, ...orderedRemovals];
  const warned = configWarnings.length > 0 && { configWarnings };
  return { ...based, mergedSha: merged.sha, previews, ...unplanned, ...removed, ...warned };
}

function withReason({ stale }: Subject, preview: PreviewRef): PreviewRef {
  const why = stale.renewed.get(preview.rootName);
  if (why?.kind === 'state-changed') return { ...preview, isOfNewState: true };
  return why?.sha === undefined ? preview : { ...preview, deployed: why.sha };
}

/** By root, the newest commit of the base that its plan will contain before its lane has deployed it. Nobody renews those of a group. */
async function undeployedIn(
  { tools, repository, record, pullRequest }: Subject,
  rootNames: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (record.group !== undefined) return new Map();
  const { pullRequestRecords } = tools.context;
  // First: whoever deploys it from here on tells the pull request, and whatever was deployed before is in the lane's record.
  await pMap(rootNames, (name) => pullRequestRecords.remember(repository, name, pullRequest.number), {
    concurrency: AT_ONCE,
  });
  const found = await pMap(
    rootNames,
    async (rootName) => {
      const { undeployed } = await branchAt(tools.context, { repository, rootName, branch: pullRequest.baseBranch });
      return [rootName, undeployed] as const;
    },
    { concurrency: AT_ONCE },
  );
  return new Map(found.flatMap(([rootName, sha]) => (sha === undefined ? [] : [[rootName, sha] as const])));
}

/** New plans for the same commits are new orders; another attempt makes the same ones. */
function orderedBy({ record, stale }: Subject, stands: boolean, asked = ''): string {
  const { look } = record;
  // What was planned of these commits before another head, or before it was closed, may be older than a deployment.
  const isNew = stale.renewed.size === 0 && (look === undefined || stands);
  return isNew ? asked : `${asked} after ${look?.at ?? ''}`;
}

/** A pull request into another branch deploys nothing when it is merged. */
export function isForBase(
  { branch, planAllBases }: Pick<RepositoryPolicy, 'branch' | 'planAllBases'>,
  { baseBranch, defaultBranch }: Pick<PullRequest, 'baseBranch' | 'defaultBranch'>,
): boolean {
  return planAllBases || baseBranch === (branch ?? defaultBranch);
}

async function mergeWithin({ tools, repository, pullRequest }: Subject, base: string) {
  const { headSha: head, updatedAt } = pullRequest;
  const limit = AbortSignal.timeout(MERGE_MS);
  try {
    return await tools.context.mirrors.merge(repository, { base, head }, AbortSignal.any([tools.signal, limit]));
  } catch (error) {
    if (limit.aborted && !tools.signal.aborted)
      return { verdict: failure(`Merging this took more than ${MERGE_MS / 60_000} minutes: nothing was planned`) };
    const isNew = Date.now() - Date.parse(updatedAt) < GIT_CATCHES_UP_MS;
    if (!(error instanceof RevisionGoneError)) throw error;
    if (isNew) throw headNotThereYet(error.message);
    return { verdict: failure('Git does not have the head of this pull request: push a commit') };
  }
}

function unmerged(
  merged:
    { readonly kind: 'conflict'; readonly files: readonly string[]; readonly total: number } | { kind: 'unrelated' },
  base: string,
): PullRequestVerdict {
  if (merged.kind === 'unrelated') return failure(`No history in common with ${base}: nothing was planned`);
  const more = merged.total > merged.files.length ? [`and ${merged.total - merged.files.length} more`] : [];
  return failure(`Conflicts with ${base}: nothing was planned`, [...merged.files, ...more]);
}
