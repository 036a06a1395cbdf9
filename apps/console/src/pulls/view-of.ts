/** Puts together what is known of a pull request's plans. Pure functions. */
import type { LaneName, PullRequestName } from '@nereid/domain/console';
import { defined } from '@nereid/domain/defined';
import { hasEnded, type Deployment, warningsOf } from '@nereid/domain/deployment';
import { seenFacts } from '@nereid/domain/intake';
import {
  pullRequestWorkflowId,
  type PreviewRef,
  type PullRequestLook,
  type PullRequestRecord,
} from '@nereid/domain/pull-request';
import { deploymentUrl, pressableOn, pullRequestTitle, titleSubject, workflowUrl, type LinkKey } from '@nereid/texts';
import { digestOf } from '@nereid/signature';
import type { LinkSettings } from '../deployments/find/deployment-links.ts';
import type { PlannedView, PreviewView, PullRequestLinks, PullRequestView, ShownLook } from './pull-request-view.ts';

export interface KnownPreview {
  readonly ref: PreviewRef;
  /** Undefined when its record is gone, or could not be read. */
  readonly deployment: Deployment | undefined;
  /** Storage did not answer. */
  readonly isUnread: boolean;
  /** Its workflow has said how far it is. */
  readonly isAnswered?: boolean;
}

interface Known extends Pick<PullRequestView, 'unavailable'> {
  readonly record: PullRequestRecord;
  readonly previews: readonly KnownPreview[];
}

export function viewOf(
  { links }: { readonly links: LinkSettings },
  pull: PullRequestName,
  { record, previews, unavailable }: Known,
): PullRequestView {
  const { look, heads = [] } = record;
  // Plans go 30 days after a pull request was closed, one by one.
  const kept = look?.isOpen === false ? previews.filter(isThere) : previews;
  const title = previews.find(({ deployment }) => deployment !== undefined)?.deployment?.revision.title;
  return {
    pull,
    ...defined({ title }),
    headline: headlineOf(record, previews),
    ...(look && { look: shownLook(look) }),
    ...(look?.verdict && { verdict: look.verdict }),
    unplanned: look?.unplanned ?? 0,
    ...defined({ configWarnings: look?.configWarnings }),
    previews: kept.map((preview) => previewView(pull, preview)),
    heads: heads.toReversed().map((head) => ({ ...head, commit: links.forgePages.commit(pull, head.headSha) })),
    unavailable,
    links: linksOf(links, pull, record),
  };
}

function isThere({ deployment, isUnread }: KnownPreview): boolean {
  return deployment !== undefined || isUnread;
}

/** The same as on the check run. */
function headlineOf({ look, shown }: PullRequestRecord, previews: readonly KnownPreview[]): string {
  if (look === undefined) return 'Not looked at yet';
  if (!look.isOpen) return shown?.title ?? 'Merged or closed';
  if (look.previews.length === 0 && look.verdict === undefined) return 'Not planned';
  // Nobody knows what a plan says that could not be read: that is no failure.
  if (previews.some(({ isUnread }) => isUnread)) return 'Some plans cannot be read';
  const found = previews.map(({ ref, deployment }) => ({ ...ref, ...(deployment && { deployment }) }));
  return pullRequestTitle(titleSubject({ look, ...(shown && { shown }) }, found));
}

function shownLook({ isOpen, headSha, baseBranch, baseSha, at }: PullRequestLook): ShownLook {
  return { isOpen, headSha, baseBranch, ...defined({ baseSha }), at };
}

function previewView({ owner, name }: PullRequestName, preview: KnownPreview): PreviewView {
  const { ref, deployment, isUnread, isAnswered = false } = preview;
  const { rootName, deploymentId, outdatedBy, ahead, isRemoval } = ref;
  return {
    rootName,
    deploymentId,
    ...defined({ outdatedBy, ahead }),
    ...(isRemoval && { isRemoval }),
    isUnread,
    ...(deployment && { planned: plannedOf(deployment, isAnswered) }),
    ...(deployment && seenToConfirm({ owner, name, rootName }, deployment)),
    path: pathOf(undefined, deploymentId, { owner, name, rootName }),
  };
}

/** The same for somebody who came by a link with a key: the page makes the links that check runs carry. */
export function withKeyedLinks(view: PullRequestView, secret: string): PullRequestView {
  const { owner, name } = view.pull;
  const previews = view.previews.map((preview) => {
    const { rootName, deploymentId, planned } = preview;
    if (planned === undefined) return preview;
    return { ...preview, path: pathOf({ secret, from: planned.receivedAt }, deploymentId, { owner, name, rootName }) };
  });
  return { ...view, previews };
}

function pathOf(key: LinkKey | undefined, deploymentId: string, lane: LaneName): string {
  const url = new URL(deploymentUrl(ANYWHERE, key, deploymentId, lane));
  return `${url.pathname.slice(1)}${url.search}`;
}

function seenToConfirm(lane: LaneName, deployment: Deployment): Pick<PreviewView, 'seen'> {
  const { plan } = deployment.progress;
  const mayBeConfirmed = plan && pressableOn({ deployment }).some(({ kind }) => kind === 'merge');
  return mayBeConfirmed ? { seen: digestOf(seenFacts(lane, deployment, plan)) } : {};
}

/** Links within the console are relative, so that a proxy may add a prefix. */
const ANYWHERE = 'http://console.invalid';

function plannedOf(deployment: Deployment, isAnswered: boolean): PlannedView {
  const { root, receivedAt, progress, confirmedForMerge } = deployment;
  const isVague = !isAnswered && !hasEnded(progress.status);
  const warnings = warningsOf(deployment);
  const confirmed = confirmedForMerge && { confirmedForMerge };
  return { dir: root.dir, workspace: root.workspace, receivedAt, warnings, progress, isVague, ...confirmed };
}

function linksOf(
  { forgePages, temporalUiUrl, namespace }: LinkSettings,
  pull: PullRequestName,
  { look, checkRuns }: PullRequestRecord,
): PullRequestLinks {
  const checkRun = checkRuns.at(-1);
  return {
    pullRequest: forgePages.pullRequest(pull, pull.number),
    ...(look && { commit: forgePages.commit(pull, look.headSha) }),
    ...(checkRun && { checkRun: forgePages.status(pull, checkRun.id) }),
    ...(temporalUiUrl !== undefined && {
      workflow: workflowUrl(temporalUiUrl, namespace, pullRequestWorkflowId(pull, { number: pull.number })),
    }),
  };
}
