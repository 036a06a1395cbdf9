/**
 * Finds pull requests, and groups of a merge queue, that changed without our knowing, and has them looked at. A look asks the forge
 * how things are, so one that was not needed does no harm.
 */
import { policyFor } from '@nereid/config';
import type { BranchToReconcile } from '@nereid/domain/activities';
import type { PullRequestLook } from '@nereid/domain/pull-request';
import { fullName, type Repository } from '@nereid/domain/root';
import type { ListedPullRequest } from '@nereid/forge';
import pMap from 'p-map';
import type { WorkerContext } from '../platform/context.ts';
import { listNames } from '../platform/list-names.ts';
import { scheduleGroupSync, schedulePullRequestSync } from '../pull-request/schedule-sync.ts';
import { isIdle } from '../pull-request/eligibility/not-renewed.ts';
import { AT_ONCE } from '../pull-request/previews.ts';
import { branchAt } from '../pull-request/stale/branch-at.ts';
import { waitsForLane } from '../pull-request/stale/renewals.ts';

type Context = Pick<
  WorkerContext,
  'server' | 'forge' | 'mirrors' | 'pullRequestRecords' | 'laneRecords' | 'deploymentRecords' | 'temporal' | 'logger'
>;

/** Of a repository and a round, groups first. The next round goes on with what is left. */
const LOOKS_LIMIT = 100;

interface Missed {
  readonly name: string;
  look(): Promise<string>;
}

/** Returns a sentence that names what is looked at, if there is anything. */
export async function reconcilePullRequests(context: Context, place: BranchToReconcile): Promise<readonly string[]> {
  const repository = fullName(place.repository);
  if (policyFor(context.server.current(), repository)?.pullRequests !== 'plan') return [];
  const found = [...(await missedGroups(context, place)), ...(await missedPullRequests(context, place))];
  const missed = found.slice(0, LOOKS_LIMIT);
  if (missed.length === 0) return [];
  await pMap(missed, (each) => each.look(), { concurrency: AT_ONCE });
  const names = listNames(missed.map(({ name }) => name));
  context.logger.info(
    { repository, pullRequests: names },
    'asked for a look at pull requests whose webhooks did not come',
  );
  return [`${repository}: asked for a look at ${names}`];
}

/** The queue waits for the checks of a group until its time is up. */
async function missedGroups(
  context: Context,
  { repository, branch: base }: BranchToReconcile,
): Promise<readonly Missed[]> {
  const waiting = (await context.forge.mergeQueue?.groups(repository, base)) ?? [];
  const groups = await pMap(
    waiting,
    async ({ branch, headSha, upTo: number }): Promise<readonly Missed[]> => {
      const record = await context.pullRequestRecords.read(repository, { number, group: headSha });
      if (record?.look !== undefined) return [];
      const group = { headSha, branch, requestedAt: new Date().toISOString() };
      const name = `the merge queue's group up to #${number}`;
      return [{ name, look: () => scheduleGroupSync(context, repository, number, group) }];
    },
    { concurrency: AT_ONCE },
  );
  return groups.flat();
}

async function missedPullRequests(
  context: Context,
  { repository, branch }: BranchToReconcile,
): Promise<readonly Missed[]> {
  // Before the list, which would not have those that are opened and planned meanwhile.
  const planned = await context.pullRequestRecords.withRoots(repository);
  const { planAllBases = false } = policyFor(context.server.current(), fullName(repository)) ?? {};
  const open = await context.forge.pullRequests.open(repository, planAllBases ? undefined : branch);
  const round = openRound(context, repository);
  const changed = await pMap(
    open.filter((listed) => !isIdle(listed)),
    async (listed) => {
      const look = (await context.pullRequestRecords.read(repository, listed))?.look;
      if (isKnown(listed, look) && !(await mayHeal(round, look))) return [];
      return [{ number: listed.number, waitedFrom: waitedFrom(listed, look) }];
    },
    { concurrency: AT_ONCE },
  );
  const inTurn = changed.flat().toSorted((one, other) => one.waitedFrom.localeCompare(other.waitedFrom));
  // Closed, or to be merged into another branch by now.
  const stillOpen = new Set(open.map(({ number }) => number));
  const gone = [...planned].filter((number) => !stillOpen.has(number));
  // Those that are gone make room for others.
  return [...gone, ...inTurn.map(({ number }) => number)].map((number) => ({
    name: `#${number}`,
    look: () => schedulePullRequestSync(context, repository, number),
  }));
}

/** What many pull requests of a round ask for, asked once. */
interface Round {
  headOf(branch: string): Promise<string | undefined>;
  /** Whether the lane has something of the branch that is still to be deployed. */
  isBusy(rootName: string, branch: string): Promise<boolean>;
}

function openRound(context: Context, repository: Repository): Round {
  const once = <T>(ask: (...names: string[]) => Promise<T>) => {
    const asked = new Map<string, Promise<T>>();
    return (...names: string[]) => {
      const key = JSON.stringify(names);
      const answer = asked.get(key) ?? ask(...names);
      asked.set(key, answer);
      return answer;
    };
  };
  return {
    headOf: once((branch = '') => context.mirrors.branchHead(repository, branch)),
    isBusy: once(
      async (rootName = '', branch = '') =>
        (await branchAt(context, { repository, rootName, branch })).undeployed !== undefined,
    ),
  };
}

/** Whether another look may say something else although nobody pushed: of another base, or after a message that did not come. */
async function mayHeal(round: Round, look: PullRequestLook): Promise<boolean> {
  const { verdict, notRenewed, baseSha, baseBranch, previews } = look;
  if (notRenewed !== undefined) return false;
  if (verdict !== undefined) return baseSha !== undefined && (await round.headOf(baseBranch)) !== baseSha;
  const wrong = await Promise.all(
    previews.map(async (preview) => (await round.isBusy(preview.rootName, baseBranch)) !== waitsForLane(preview)),
  );
  return wrong.includes(true);
}

function isKnown(
  { headSha, draft, fromFork }: ListedPullRequest,
  look: PullRequestLook | undefined,
): look is PullRequestLook {
  const waits = look?.verdict?.conclusion === 'action_required' || look?.notRenewed === 'draft';
  // A draft may have become ready, or a command may have had it planned.
  return look?.isOpen === true && look.headSha === headSha && (!waits || draft || fromFork);
}

/**
 * The time of the last look at this head. Hundreds may wait for a place or for the base, and the next look says the same of most.
 * Empty, which is before any time, for one of which nothing is said yet, or that became ready.
 */
function waitedFrom({ headSha }: ListedPullRequest, look: PullRequestLook | undefined): string {
  return look?.isOpen === true && look.headSha === headSha && look.notRenewed === undefined ? look.at : '';
}
