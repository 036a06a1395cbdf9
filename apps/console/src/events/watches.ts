/** Who looks for changes: one look at the fleet for all, and one at each deployment and pull request that somebody follows. */
import type { LaneName, PullRequestName } from '@nereid/domain/console';
import { pullRequestWorkflowId } from '@nereid/domain/pull-request';
import type { DeploymentView } from '../deployments/deployment-view.ts';
import { findWithPending, type PendingSources } from '../deployments/find/find-deployment.ts';
import { FRESH_MS, keyOf } from '../fleet/fleet.ts';
import type { ReadHosts } from '../hosts/read-hosts.ts';
import type { FindPullRequest } from '../pulls/find-pull-request.ts';
import { isUnderWay } from '../pulls/page.ts';
import { createEndings } from './endings.ts';
import { createLookAtFleet } from './look-at-fleet.ts';
import { createLookAtDeployment, createLookAtPull, isMoving } from './look-at-one.ts';
import { createWatch, type Watch } from './watch.ts';

export interface Watches {
  readonly fleet: Watch;
  /** Undefined when too many others are followed. */
  deployment(id: string, lane: LaneName | undefined): DeploymentWatch | undefined;
  pullRequest(pull: PullRequestName): Watch | undefined;
  /** As it was seen last, if somebody follows it. */
  latest(id: string, lane: LaneName | undefined): DeploymentView | undefined;
}

export interface DeploymentWatch extends Watch {
  readonly latest: () => DeploymentView | undefined;
}

/** Milliseconds between two looks. */
export interface Pace {
  readonly fleetMs: number;
  /** At what goes on by itself. */
  readonly oneMs: number;
  /** At what waits for somebody. */
  readonly restingMs: number;
}

/** At the fleet just when its picture is no longer fresh. */
export const PACE: Pace = { fleetMs: FRESH_MS + 100, oneMs: 2_000, restingMs: 15_000 };

/** Each asks two workflows or more. Pages of others ask for themselves, less often. */
const WATCHES_LIMIT = 200;

export interface WatchesSources extends PendingSources {
  readonly readHosts: ReadHosts;
  readonly findPullRequest: FindPullRequest;
  /** Aborted when the console stops. */
  readonly stopping: AbortController;
}

export function createWatches(sources: WatchesSources, pace: Pace = PACE): Watches {
  const { deploymentRecords, links, logger, findPullRequest } = sources;
  const stopping = sources.stopping.signal;
  const endings = createEndings(deploymentRecords);
  const lookAtFleet = createLookAtFleet({ ...sources, endings, forgePages: links.forgePages });
  const deployments = createOpenOnes<DeploymentWatch>();
  const pulls = createOpenOnes<Watch>();

  function watchDeployment(id: string, lane: LaneName | undefined, onLeft: () => void): DeploymentWatch {
    const { look, latest } = createLookAtDeployment(() => findWithPending(sources, id, lane));
    const pauseMs = () => (isMoving(latest()) ? pace.oneMs : pace.restingMs);
    return { ...createWatch({ look, pauseMs, stopping, logger, onLeft }), latest };
  }

  function watchPull(pull: PullRequestName, onLeft: () => void): Watch {
    const { look, latest } = createLookAtPull(findPullRequest, pull);
    const pauseMs = () => {
      const view = latest();
      return view === undefined || isUnderWay(view) ? pace.oneMs : pace.restingMs;
    };
    return createWatch({ look, pauseMs, stopping, logger, onLeft });
  }

  return {
    fleet: createWatch({ look: lookAtFleet, pauseMs: () => pace.fleetMs, stopping, logger }),
    deployment: (id, lane) => deployments.of(keyOfDeployment(id, lane), (onLeft) => watchDeployment(id, lane, onLeft)),
    pullRequest: (pull) => pulls.of(pullRequestWorkflowId(pull, pull), (onLeft) => watchPull(pull, onLeft)),
    latest: (id, lane) => deployments.find(keyOfDeployment(id, lane))?.latest(),
  };
}

function keyOfDeployment(id: string, lane: LaneName | undefined): string {
  return `${id} ${lane === undefined ? '' : keyOf(lane)}`;
}

interface OpenOnes<W> {
  find(key: string): W | undefined;
  /** The open one, or a new one, which is open until nobody follows it any more. Undefined beyond the limit. */
  of(key: string, create: (onLeft: () => void) => W): W | undefined;
}

function createOpenOnes<W>(): OpenOnes<W> {
  const open = new Map<string, W>();
  return {
    find: (key) => open.get(key),
    of(key, create) {
      const known = open.get(key);
      if (known !== undefined) return known;
      if (open.size >= WATCHES_LIMIT) return undefined;
      const made = create(() => open.delete(key));
      open.set(key, made);
      return made;
    },
  };
}
