/**
 * Brings the previews of a pull request up to date. What the forge says of it now is all that counts: which events came, how often
 * and in which order, makes no difference.
 */
import { policyFor } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import { shortSha } from '@nereid/domain/deployment';
import {
  EARLIER_HEADS_LIMIT,
  pullRequestWorkflowId,
  type Looked,
  type PreviewSubject,
  type PullRequestLook,
  type PullRequestRecord,
} from '@nereid/domain/pull-request';
import { fullName, type Repository } from '@nereid/domain/root';
import { renderPullRequest } from '@nereid/texts';
import pMap from 'p-map';
import type { RevisionTools } from '../root/revision-tools.ts';
import { makeLook, type Subject } from './make-look.ts';
import { withGroup } from './merge-group.ts';
import { forgetForMerge } from './forget-for-merge.ts';
import { withStaleness } from './eligibility/not-renewed.ts';
import { planPageUrl } from './plan-page-url.ts';
import { AT_ONCE, endPreviews, startPreviews } from './previews.ts';
import { renewals } from './stale/renewals.ts';

export async function syncPullRequest(
  tools: RevisionTools,
  repository: Repository,
  id: PreviewSubject,
  reported: readonly string[],
): Promise<Looked> {
  const { context } = tools;
  const policy = policyFor(context.server.current(), fullName(repository));
  if (!policy) return notLooked('the repository is not allowed by the server');
  const record = await context.pullRequestRecords.read(repository, id);
  if (record === undefined) return notLooked('no webhook has reported it');
  const newest = await context.forge.pullRequests.get(repository, id.number);
  const pullRequest = record.group ? await withGroup(tools, newest, record) : newest;
  const stale = await renewals(context, repository, record.group ? undefined : record.look, reported);
  const subject = { tools, repository, id, policy, pullRequest, record, stale };
  const [commentName] = context.server.current().commentNames;
  const look = withStaleness(await makeLook(subject), { commentName, stale: policy.stale });
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

function describe({ isOpen, headSha, previews, verdict }: PullRequestLook): string {
  if (!isOpen) return 'it is closed';
  if (verdict) return verdict.title;
  return previews.length === 0 ? 'it deploys nothing' : `${shortSha(headSha)}: ${previews.length} roots are planned`;
}
