/**
 * Brings the previews of a pull request up to date. What GitHub says of it now is all that counts: which events came, how often
 * and in which order, makes no difference.
 */
import { formatProblem, policyFor, type RepositoryPolicy } from '@nereid/config';
import {
  EARLIER_HEADS_LIMIT,
  fullName,
  pullRequestWorkflowId,
  shortSha,
  type Looked,
  type PreviewRef,
  type PreviewSubject,
  type PullRequestLook,
  type PullRequestRecord,
  type PullRequestVerdict,
  type Repository,
  type Root,
} from '@nereid/contracts';
import { removedSentence, renderPullRequest, type PullRequest } from '@nereid/github';
import { RevisionGoneError } from '@nereid/git';
import pMap from 'p-map';
import { discoverIn } from '../intake/revisions/discover.ts';
import type { RevisionTools } from '../intake/intake-call.ts';
import { listNames } from '../intake/list-names.ts';
import { GIT_CATCHES_UP_MS, headNotThereYet, withGroup } from './merge-group.ts';
import { forgetForMerge } from './forget-for-merge.ts';
import { isIdle, notRenewed, withStaleness } from './eligibility/not-renewed.ts';
import { planPageUrl } from './plan-page-url.ts';
import { AT_ONCE, endPreviews, orderPreviews, startPreviews } from './previews.ts';
import { removedRoots } from './removed-roots.ts';
import { renewals, type Renewal } from './stale/seen-state.ts';
import { tooManyPlanned } from './eligibility/too-many-planned.ts';
import { whyUnplanned } from './eligibility/why-unplanned.ts';

/** More plans than anybody reads, and as many check runs. */
export const ROOTS_LIMIT = 100;

/** More check runs than anybody reads on one commit. All plans are in the table of the pull request. */
const CHECK_RUNS_LIMIT = 30;

export async function lookAtPullRequest(
  tools: RevisionTools,
  repository: Repository,
  id: PreviewSubject,
  told: readonly string[],
): Promise<Looked> {
  const { context } = tools;
  const policy = policyFor(context.server.current(), fullName(repository));
  if (!policy) return notLooked('the repository is not allowed by the server');
  const record = await context.pullRequestRecords.read(repository, id);
  if (record === undefined) return notLooked('no webhook has told of it');
  const newest = await context.github.pullRequests.get(repository, id.number);
  const pullRequest = record.group ? await withGroup(tools, newest, record) : newest;
  const renewed = await renewals(context, repository, record.look, told);
  const subject = { tools, repository, id, policy, pullRequest, record, renewed };
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
  /** Of a group, the last one, with the group's head. */
  readonly pullRequest: PullRequest;
  readonly record: PullRequestRecord;
  /** By root, why its plan may not be true any more. */
  readonly renewed: ReadonlyMap<string, Renewal>;
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

/** The check run of an older head, or of a pull request that is not planned any more, would stay in progress for ever. */
async function endShown({ tools, repository, id, record }: Subject, look: PullRequestLook): Promise<void> {
  const last = record.checkRuns.at(-1);
  const isOld = record.look !== undefined && record.look.headSha !== look.headSha;
  if (record.look === undefined || last === undefined || last.completed || !(isOld || isUnplanned(look))) return;
  const { github } = tools.context;
  const why = isOld ? 'A newer commit is planned' : 'Not planned any more';
  const content = renderPullRequest({
    headSha: record.look.headSha,
    externalId: pullRequestWorkflowId(repository, id),
    detailsUrl: await planPageUrl(tools.context, repository, id, record.look.at),
    previews: [],
    verdict: { conclusion: 'neutral', title: why, lines: [] },
  });
  await github.checkRuns.update(repository, last.id, content);
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
    ...(title !== undefined && { title }),
    ...(conclusion && { conclusion }),
  };
  return { heads: [...heads, left].slice(-EARLIER_HEADS_LIMIT) };
}

/** The same object as before when nothing has changed. */
async function lookNow(subject: Subject): Promise<PullRequestLook> {
  const { tools, repository, policy, pullRequest, record, renewed } = subject;
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
  if (stands && last.baseSha === baseSha && !isAsked && renewed.size === 0) return last;
  if (hasPlans && !isAsked && isIdle(pullRequest)) return notRenewed(last, 'idle');

  const based = { ...seen, baseSha, ...(asked && { requestId: asked.requestId }) };
  const merged = record.group ? ({ kind: 'merged', sha: headSha } as const) : await mergeWithin(subject, baseSha);
  if ('verdict' in merged) return { ...based, previews: [], verdict: merged.verdict };
  if (merged.kind !== 'merged') return { ...based, previews: [], verdict: unmerged(merged, baseBranch) };
  const found = await rootsOf(subject, baseSha, merged.sha);
  if ('verdict' in found) return { ...based, mergedSha: merged.sha, previews: [], verdict: found.verdict };
  const isNew = !hasPlans && record.group === undefined;
  const full = isNew ? await tooManyPlanned(tools.context, repository, pullRequest, commentName) : undefined;
  // Without the base: the next look does not stop at it.
  if (full) return { ...seen, previews: [], verdict: full };
  const { roots, gone } = found;
  const names = (of: readonly Root[]) => of.map(({ name }) => name);
  const current = { planned: new Set(names(roots)), removed: new Set(names(gone)) };
  const before = stands ? await keptOf(subject, { last, merged: merged.sha, baseSha, isAsked }) : [];
  const kept = before.filter(({ rootName, isRemoval }) => current[isRemoval ? 'removed' : 'planned'].has(rootName));
  // Which of them change something, nobody knows before they are planned.
  const shown = new Set(
    names([...roots, ...gone])
      .toSorted()
      .slice(0, CHECK_RUNS_LIMIT),
  );
  const isMissing = ({ name }: Root) => !kept.some(({ rootName }) => rootName === name);
  const preview = { headSha, baseSha, ...(record.group && { group: headSha }) };
  const ordering = {
    ...{ repository, pullRequest, preview, mergedSha: merged.sha, roots: roots.filter(isMissing) },
    earlier: last?.previews ?? [],
    hasCheckRun: ({ name }: Root) => shown.has(name),
    requestId: orderedBy(subject, asked?.requestId),
  };
  const removing = {
    mergedSha: baseSha,
    preview: { ...preview, isRemoval: true as const },
    roots: gone.filter(isMissing),
  };
  const ordered = await orderPreviews(tools, ordering);
  const orderedRemovals = await orderPreviews(tools, { ...ordering, ...removing });
  const unplanned = found.unplanned > 0 && { unplanned: found.unplanned };
  const removed = found.removed.length > 0 && { removed: found.removed.slice(0, ROOTS_LIMIT) };
  const planned = ordered.map((preview) => withReason(subject, preview));
  const previews = [...kept, ...planned, ...orderedRemovals];
  return { ...based, mergedSha: merged.sha, previews, ...unplanned, ...removed };
}

function withReason({ renewed }: Subject, preview: PreviewRef): PreviewRef {
  return renewed.get(preview.rootName) === 'state-changed' ? { ...preview, isOfNewState: true } : preview;
}

/** New plans for the same commits are new orders; another attempt makes the same ones. */
function orderedBy({ record, renewed }: Subject, asked = ''): string {
  const { look } = record;
  const isNew = renewed.size === 0 && look?.notRenewed === undefined;
  return isNew ? asked : `${asked} after ${look?.at ?? ''}`;
}

/** A pull request into another branch deploys nothing when it is merged. */
export function isForBase(
  { branch, planAllBases }: Pick<RepositoryPolicy, 'branch' | 'planAllBases'>,
  { baseBranch, defaultBranch }: Pick<PullRequest, 'baseBranch' | 'defaultBranch'>,
): boolean {
  return planAllBases || baseBranch === (branch ?? defaultBranch);
}

/** A merge takes milliseconds; a tree that takes longer was made for that. */
const MERGE_MS = 2 * 60_000;

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

function failure(title: string, lines: readonly string[] = []): PullRequestVerdict {
  return { conclusion: 'failure', title, lines };
}

type FoundRoots =
  | {
      readonly roots: readonly Root[];
      /** Counts the roots that are modified as well. */
      readonly unplanned: number;
      /** The names of all roots that are removed. */
      readonly removed: readonly string[];
      /** Of those, the ones whose state is looked at. */
      readonly gone: readonly Root[];
    }
  | { readonly verdict: PullRequestVerdict };

async function rootsOf(
  { tools, repository, policy, pullRequest, record }: Subject,
  base: string,
  merged: string,
): Promise<FoundRoots> {
  const range = { kind: 'push', before: base, after: merged } as const;
  const found = await discoverIn(tools, { repository, policy, range });
  if (found.kind === 'problems') {
    const { file, problems } = found;
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    return {
      verdict: failure(
        `${file}: ${count}`,
        problems.map((problem) => formatProblem(problem, file)),
      ),
    };
  }
  const modified = found.modified.map(({ root }) => root);
  const asked = record.asked?.headSha === pullRequest.headSha ? record.asked.rootNames : [];
  const wanted = modified.length > ROOTS_LIMIT ? asked : [];
  const roots = wanted.length === 0 ? modified : modified.filter(({ name }) => wanted.includes(name));
  const removed = found.deleted;
  const names = removed.slice(0, Math.max(0, ROOTS_LIMIT - roots.length));
  const gone = await removedRoots(tools, { repository, policy, sha: base, names });
  if (roots.length + gone.length === 0)
    return { verdict: { conclusion: 'success', title: 'Touches no root', lines: removed.map(removedSentence) } };
  if (roots.length <= ROOTS_LIMIT) return { roots, unplanned: modified.length - roots.length, removed, gone };
  const [commentName] = tools.context.server.current().commentNames;
  const how = record.group ? 'merge fewer pull requests at once' : `comment \`${commentName} plan <root>…\``;
  const title = `${roots.length} roots, the limit is ${ROOTS_LIMIT}: ${how}`;
  return { verdict: failure(title, [listNames(roots.map(({ name }) => name))]) };
}

/**
 * The previews of the same head that stay. What the newer base changes is out of date, and is planned again once that was
 * deployed: until then, nobody knows the state that the plan would be made for.
 */
async function keptOf(
  { tools, repository, policy, record, renewed }: Subject,
  { last, merged, baseSha, isAsked }: Keeping,
): Promise<PullRequestLook['previews']> {
  const { mergedSha, previews } = last;
  if (mergedSha === undefined) return [];
  const wanted = record.asked?.rootNames ?? [];
  const isAgain = (rootName: string) =>
    renewed.has(rootName) || (isAsked && (wanted.length === 0 || wanted.includes(rootName)));
  const stays = previews.filter(({ rootName }) => !isAgain(rootName));
  if (stays.length === 0 || mergedSha === merged) return stays;
  // A mirror that was replaced, or another worker's, lacks it.
  if (last.baseSha !== undefined && !(await isMergedAgain(tools, repository, last.baseSha, last.headSha))) return [];
  const range = { kind: 'trees', before: mergedSha, after: merged } as const;
  const found = await discoverIn(tools, { repository, policy, range });
  if (found.kind === 'problems') return [];
  const changed = new Set(found.modified.map(({ root }) => root.name));
  return stays.map((preview) => (changed.has(preview.rootName) ? { ...preview, outdatedBy: baseSha } : preview));
}

/** False when the older base is gone after a force push, or merging it takes too long: then everything is planned again. */
async function isMergedAgain(
  { context, signal }: RevisionTools,
  repository: Repository,
  base: string,
  head: string,
): Promise<boolean> {
  const limit = AbortSignal.timeout(MERGE_MS);
  try {
    await context.mirrors.merge(repository, { base, head }, AbortSignal.any([signal, limit]));
    return true;
  } catch (error) {
    if (error instanceof RevisionGoneError || (limit.aborted && !signal.aborted)) return false;
    throw error;
  }
}

interface Keeping {
  readonly last: PullRequestLook;
  readonly merged: string;
  readonly baseSha: string;
  readonly isAsked: boolean;
}

function describe({ isOpen, headSha, previews, verdict }: PullRequestLook): string {
  if (!isOpen) return 'it is closed';
  if (verdict) return verdict.title;
  return previews.length === 0 ? 'it deploys nothing' : `${shortSha(headSha)}: ${previews.length} roots are planned`;
}
