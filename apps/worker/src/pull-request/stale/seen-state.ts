/**
 * Notices that a state changed outside of Nereid: a plan found another one than the plan before it, and nothing was deployed in
 * between. Then the other plans of that root are out of date.
 *
 * A pull request may change the backend of its root: its plans are of another state then, and say nothing about that of the
 * others. So a preview only counts when it finds a newer version of the same state; a deployment always counts.
 */
import { policyFor } from '@nereid/config';
import type { Deployment } from '@nereid/domain/deployment';
import { fullName, type Repository } from '@nereid/domain/root';
import type { SeenState } from '@nereid/domain/plan';
import type { WorkerContext } from '../../platform/context.ts';
import { lanePosition } from '../../lane/turn/lane-position.ts';
import { signalPullRequest } from '../signal-pull-request.ts';
import { notifyPullRequestsOfState } from '../notify-pull-requests.ts';

/**
 * Never throws: a plan that was made is good, and the next one notices as well. `isRetry`: an attempt before may have stored what
 * this plan has seen, and told nobody.
 */
export async function noteState(
  context: WorkerContext,
  repository: Repository,
  deployment: Pick<Deployment, 'root' | 'progress' | 'pullRequest' | 'preview'>,
  isRetry: boolean,
): Promise<void> {
  const { root, progress } = deployment;
  const { plan, jobs } = progress;
  if (plan?.made.body.stateVersion === undefined || jobs.plan === undefined) return;
  if (policyFor(context.server.current(), fullName(repository))?.pullRequests !== 'plan') return;
  const isPreview = deployment.preview !== undefined;
  const planned = { stateVersion: plan.made.body.stateVersion, at: jobs.plan.startedAt, isPreview };
  try {
    const found = await store(context, repository, root.name, { planned, isRetry });
    if (found === 'changed') await notifyPullRequestsOfState(context, repository, root.name, ownNumber(deployment));
    if (found === 'overtaken') await notifyOwn(context, repository, deployment);
  } catch (error) {
    const fields = { err: error, repository: fullName(repository), root: root.name };
    context.logger.warn(
      fields,
      'it is not known whether the state of a root changed: plans may be older than they say',
    );
  }
}

interface Planned {
  readonly stateVersion: string;
  readonly at: string;
  readonly isPreview: boolean;
}

/** `overtaken`: a plan that began later has found another one. */
export type FoundState = 'first' | 'same' | 'changed' | 'overtaken';

export function compareState(seen: SeenState | undefined, { stateVersion, at, isPreview }: Planned): FoundState {
  if (seen === undefined) return 'first';
  // One that began before the end of a deployment is made again anyway.
  if (seen.stateVersion === undefined) return at < seen.at ? 'same' : 'first';
  if (seen.stateVersion === stateVersion) return 'same';
  if (at < seen.at) return 'overtaken';
  return isPreview && !isNewer(stateVersion, seen.stateVersion) ? 'same' : 'changed';
}

/** Never true in both directions, so that two pull requests cannot have each other planned again for ever. */
function isNewer(stateVersion: string, than: string): boolean {
  const [serial, lineage] = stateVersion.split(' ');
  const [seenSerial, seenLineage] = than.split(' ');
  // A root without a state has no lineage.
  return lineage === seenLineage ? Number(serial) > Number(seenSerial) : seenLineage === '';
}

async function store(
  context: WorkerContext,
  repository: Repository,
  rootName: string,
  { planned, isRetry }: { readonly planned: Planned; readonly isRetry: boolean },
): Promise<FoundState> {
  const { seenStates } = context;
  const { stateVersion, at } = planned;
  const before = compareState(await seenStates.read(repository, rootName), planned);
  // An apply changes the state all the time, and its end has everything planned again.
  if (before === 'changed' && (await lanePosition(context, repository, rootName)) === undefined) return 'same';
  let found: FoundState = before;
  await seenStates.change(repository, rootName, (seen) => {
    found = compareState(seen, planned);
    const isOwn = isRetry && seen?.isOutside === true && seen.at === at;
    if (found === 'same' && isOwn) found = 'changed';
    else if (found === 'first' || found === 'changed') return { stateVersion, at, isOutside: found === 'changed' };
    return undefined;
  });
  return found;
}

function ownNumber({ pullRequest, preview }: Pick<Deployment, 'pullRequest' | 'preview'>): number | undefined {
  return preview !== undefined && preview.group === undefined ? pullRequest : undefined;
}

/** Nobody plans a group of a merge queue again. */
async function notifyOwn(
  context: WorkerContext,
  repository: Repository,
  { root, ...deployment }: Pick<Deployment, 'root' | 'pullRequest' | 'preview'>,
): Promise<void> {
  const number = ownNumber(deployment);
  if (number !== undefined) await signalPullRequest(context, repository, { number }, 'look', { deployed: root.name });
}
