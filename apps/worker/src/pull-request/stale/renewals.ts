/**
 * Which plans are made again for the same commits, and which wait for that. What a message says of a deployment is a hint: the record
 * of the lane says whether anything of the branch is still to be deployed.
 */
import { hasEnded } from '@nereid/domain/deployment';
import type { PreviewRef, PullRequestLook } from '@nereid/domain/pull-request';
import type { Repository } from '@nereid/domain/root';
import pMap from 'p-map';
import type { WorkerContext } from '../../platform/context.ts';
import { branchAt, readLeniently, type BranchAt } from './branch-at.ts';

/** Storage answers in milliseconds; more at once would only wait there. */
const AT_ONCE = 20;

type RenewalContext = Pick<
  WorkerContext,
  'seenStates' | 'pullRequestRecords' | 'laneRecords' | 'deploymentRecords' | 'logger'
>;

/** Why a plan is made again: `deployed` names the commit, where the plan was made before it was. */
export type Renewal = { readonly kind: 'deployed'; readonly sha?: string } | { readonly kind: 'state-changed' };

/** Of the previews of one look, by root. */
export interface Renewals {
  readonly renewed: ReadonlyMap<string, Renewal>;
  /** Of those that would be made again: the commit that is to be deployed first. */
  readonly waiting: ReadonlyMap<string, string>;
  /** Of the others: the newest commit of their base that is not deployed yet, which they may contain. */
  readonly ahead: ReadonlyMap<string, string>;
}

/** `reported`: the roots whose deployment is said to have ended, or whose state to have changed. */
export async function renewals(
  context: RenewalContext,
  repository: Repository,
  look: PullRequestLook | undefined,
  reported: readonly string[],
): Promise<Renewals> {
  const renewed = new Map<string, Renewal>();
  const waiting = new Map<string, string>();
  const ahead = new Map<string, string>();
  // Nobody plans a group of a merge queue again, and what was closed shows nothing.
  const previews = look?.isOpen === true ? look.previews : [];
  await pMap(
    previews,
    async (preview) => {
      const { rootName } = preview;
      const isReported = reported.includes(rootName);
      const branch = await branchAt(context, { repository, rootName, branch: look?.baseBranch ?? '' });
      if (branch.undeployed !== undefined) (isReported ? waiting : ahead).set(rootName, branch.undeployed);
      else if (isReported || waitsForLane(preview)) {
        const why = isReported ? await renewalOf(context, repository, preview) : 'deployed';
        if (why !== undefined) renewed.set(rootName, whyOf(why, branch, look?.at));
      }
    },
    { concurrency: AT_ONCE },
  );
  return { renewed, waiting, ahead };
}

/** Whether it is made again once the lane has nothing of the branch left. */
export function waitsForLane({ outdatedBy, ahead }: PreviewRef): boolean {
  return outdatedBy !== undefined || ahead !== undefined;
}

function whyOf(kind: Renewal['kind'], { latest }: BranchAt, plannedAt = ''): Renewal {
  if (kind === 'state-changed') return { kind };
  return { kind, ...(latest !== undefined && latest.at > plannedAt && { sha: latest.revision }) };
}

async function renewalOf(
  context: RenewalContext,
  repository: Repository,
  { rootName, deploymentId, outdatedBy }: PreviewRef,
): Promise<Renewal['kind'] | undefined> {
  const { seenStates, pullRequestRecords } = context;
  // What cannot be read counts for nothing: the plans are made again as after a deployment.
  const seen = await readLeniently(context, { repository, rootName, what: 'what is known of the state' }, () =>
    seenStates.read(repository, rootName),
  );
  if (seen?.isOutside !== true || outdatedBy !== undefined) return 'deployed';
  const { progress } = (await pullRequestRecords.readPreview(repository, rootName, deploymentId))?.deployment ?? {};
  // A plan that is under way compares its own at its end.
  const isUnderWay = progress !== undefined && !hasEnded(progress.status);
  return isUnderWay || progress?.plan?.made.body.stateVersion === seen.stateVersion ? undefined : 'state-changed';
}
