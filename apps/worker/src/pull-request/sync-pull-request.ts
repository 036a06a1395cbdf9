/**
 * Brings the previews of a pull request up to date. What the forge says of it now is all that counts: which events came, how often
 * and in which order, makes no difference.
 */
import { policyFor, type RepositoryPolicy } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import { shortSha } from '@nereid/domain/deployment';
import {
  EARLIER_HEADS_LIMIT,
  pullRequestWorkflowId,
  type Looked,
  type PreviewRef,
  type PreviewSubject,
  type PullRequestLook,
  type PullRequestRecord,
  type PullRequestVerdict,
} from '@nereid/domain/pull-request';
import { fullName, type Repository, type Root } from '@nereid/domain/root';
import type { PullRequest } from '@nereid/forge';
import { renderPullRequest } from '@nereid/texts';
import { RevisionGoneError } from '@nereid/git';
import pMap from 'p-map';
import type { RevisionTools } from '../root/revision-tools.ts';
import { GIT_CATCHES_UP_MS, headNotThereYet, withGroup } from './merge-group.ts';
import { forgetForMerge } from './forget-for-merge.ts';
import { isIdle, notRenewed, withStaleness } from './eligibility/not-renewed.ts';
import { planPageUrl } from './plan-page-url.ts';
import { AT_ONCE, endPreviews, orderPreviews, startPreviews } from './previews.ts';
import { failure, findWantedRoots, ROOTS_LIMIT } from './roots/find-wanted-roots.ts';
import { branchAt } from './stale/branch-at.ts';
import { keptPreviews, marksAny, MERGE_MS } from './stale/kept-previews.ts';
import { renewals, type Renewals } from './stale/renewals.ts';
import { tooManyPlanned } from './eligibility/too-many-planned.ts';
import { whyUnplanned } from './eligibility/why-unplanned.ts';

/** More check runs than anybody reads on one commit. All plans are in the table of the pull request. */
const CHECK_RUNS_LIMIT = 30;

export async function syncPullRequest(
  tools: RevisionTools,
  repository: Repository,
  id: PreviewSubject,
  told: readonly string[],
): Promise<Looked> {
  const { context } = tools;
  const policy = policyFor(context.server.current(), fullName(repository));
  if (!policy) return notLooked('the repository is not allowed by the server');
  const record = await context.pullRequestRecords.read(repository, id);
  if (record === undefined) return notLooked('no webhook has reported it');
  const newest = await context.forge.pullRequests.get(repository, id.number);
  const pullRequest = record.group ? await withGroup(tools, newest, record) : newest;
  const stale = await renewals(context, repository, record.group ? undefined : record.look, told);
  const subject = { tools, repository, id, policy, pullRequest, record, stale };
  const [commentName] = context.server.current().commentNames;
  const look = withStaleness(await lookNow(subject), { commentName, stale: policy.stale });
  const current = new Set(look.previews.map(({ deploymentId }) => deploymentId));
  // Before the record forgets them: another attempt ends them again, which does no harm.
  const outdated = record.look?.previews.filter(({ deploymentId }) => !current.has(deploymentId)) ?? [];
  await endPreviews(context, repository, outdated);
  // One that was closed may be merged: then its reviews count.
  if (look.isOpen) await forgetForMerge(context, repository, { replaced: outdated, current: look.previews });
  await endShown(subject, look);
  // The merge queue makes another group when its base has changed. Before the record forgets the last look, as above.
  if (record.group === undefined) await rememberRoots(subject, look);
  if (look !== record.look) await keep(subject, look);
  const underWay = await startPreviews(tools, repository, look.previews);
  return { sentence: describe(look), isOpen: look.isOpen, underWay };
}

function notLooked(sentence: string): Looked {
  return { sentence, isOpen: false, underWay: [] };
}

interface Subject {
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

/** So that the next deployment of a root finds the pull request. */
async function rememberRoots(
  { tools, repository, pullRequest, record }: Subject,
  look: PullRequestLook,
): Promise<void> {
  const { pullRequestRecords } = tools.context;
  const { number } = pullRequest;
  const before = rootNames(record.look);
  const now = rootNames(look);
  const forgotten = [...before].filter((name) => !now.has(name));
  // Written again when an attempt died in between.
  await pMap([...now], (name) => pullRequestRecords.remember(repository, name, number), { concurrency: AT_ONCE });
  await pMap(forgotten, (name) => pullRequestRecords.forget(repository, name, number), { concurrency: AT_ONCE });
  // Its record may have been removed, and be a new one.
  if (isUnplanned(look)) await pullRequestRecords.forgetAll(repository, number);
}

/** Closed, for one: nothing is said of it any more. */
function isUnplanned({ previews, verdict }: PullRequestLook): boolean {
  return previews.length === 0 && verdict === undefined;
}

function rootNames(look: PullRequestLook | undefined): ReadonlySet<string> {
  return new Set(look?.previews.map(({ rootName }) => rootName));
}

/** The check run of an older head, or of a pull request that is no longer planned, would stay in progress for ever. */
async function endShown({ tools, repository, id, record }: Subject, look: PullRequestLook): Promise<void> {
  const last = record.checkRuns.at(-1);
  const isOld = record.look !== undefined && record.look.headSha !== look.headSha;
  if (record.look === undefined || last === undefined || last.completed || !(isOld || isUnplanned(look))) return;
  const { forge } = tools.context;
  const why = isOld ? 'A newer commit is planned' : 'No longer planned';
  const content = renderPullRequest({
    headSha: record.look.headSha,
    externalId: pullRequestWorkflowId(repository, id),
    detailsUrl: await planPageUrl(tools.context, repository, id, record.look.at),
    previews: [],
    verdict: { conclusion: 'neutral', title: why, lines: [] },
  });
  await forge.status.update(repository, last.id, content);
}

async function keep({ tools, repository, id }: Subject, look: PullRequestLook): Promise<void> {
  await tools.context.pullRequestRecords.change(repository, id, (newest) => {
    const { checkRuns = [], shown, asked, group, comment } = newest ?? {};
    // A new head has check runs of its own.
    const isSameHead = newest?.look?.headSha === look.headSha;
    // The check run says so by then, and says otherwise once it is planned again.
    const isCompleted = isUnplanned(look);
    return {
      version: 1,
      repository,
      number: id.number,
      ...(group && { group }),
      look,
      checkRuns: isSameHead ? checkRuns.map((ref) => (isCompleted ? { ...ref, completed: true } : ref)) : [],
      ...(isSameHead && !isCompleted && shown && { shown }),
      ...(asked && { asked }),
      ...(comment && { comment }),
      ...lastPreviews(newest, look),
      ...earlierHeads(newest, isSameHead),
    };
  });
}

/** What people read of it after its merge. */
function lastPreviews(
  record: PullRequestRecord | undefined,
  { isOpen }: PullRequestLook,
): Pick<PullRequestRecord, 'lastPreviews'> {
  const last = record?.look?.isOpen === true ? record.look.previews : record?.lastPreviews;
  return isOpen || last === undefined ? {} : { lastPreviews: last };
}

/** A head joins the earlier ones, with what was said of it, when it is the head no more. */
function earlierHeads(record: PullRequestRecord | undefined, isSameHead: boolean): Pick<PullRequestRecord, 'heads'> {
  const { heads = [], look, shown } = record ?? {};
  if (look === undefined || isSameHead) return heads.length === 0 ? {} : { heads };
  const { title, conclusion } = shown ?? {};
  const left = {
    headSha: look.headSha,
    at: look.at,
    ...defined({ title }),
    ...(conclusion && { conclusion }),
  };
  return { heads: [...heads, left].slice(-EARLIER_HEADS_LIMIT) };
}

/** The same object as before when nothing has changed. */
async function lookNow(subject: Subject): Promise<PullRequestLook> {
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
  const { roots, named, gone } = found;
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
  return { ...based, mergedSha: merged.sha, previews, ...unplanned, ...removed };
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

function describe({ isOpen, headSha, previews, verdict }: PullRequestLook): string {
  if (!isOpen) return 'it is closed';
  if (verdict) return verdict.title;
  return previews.length === 0 ? 'it deploys nothing' : `${shortSha(headSha)}: ${previews.length} roots are planned`;
}
