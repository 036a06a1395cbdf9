/** What a request is about, as we know it: its repository with the installation that acts there, a host, a destination of notifications or a pool; and the request. */
import { ACTIONS, type ConsoleAction, type Subject } from '@nereid/domain/actions';
import { parseLaneName, type LaneName } from '@nereid/domain/console';
import type { ServerConfig } from '@nereid/config';
import type { HostRequest } from '@nereid/domain/host';
import type { ConsoleRequest, DestinationRequest, PoolRequest } from '@nereid/domain/intake';
import type { Repository } from '@nereid/domain/root';
import type { DrainRecords, HostRecords, PullRequestRecords } from '@nereid/storage';
import type { Logger } from 'pino';
import type { ReadFleet } from '../fleet/fleet.ts';
import type { Wanted } from './make-request.ts';

export type Target =
  { readonly kind: 'found'; readonly wanted: Wanted } | { readonly kind: 'absent' } | { readonly kind: 'unavailable' };

/** The sources that know the things on which people act. */
export interface TargetSources {
  readonly findDeployment: (id: string, lane: LaneName | undefined) => Promise<FoundDeployment>;
  readonly readFleet: ReadFleet;
  readonly pullRequestRecords: Pick<PullRequestRecords, 'read'>;
  readonly hostRecords: Pick<HostRecords, 'read'>;
  readonly drainRecords: Pick<DrainRecords, 'read'>;
  readonly server: { current(): Pick<ServerConfig, 'notifications'> };
  readonly logger: Pick<Logger, 'warn'>;
}

type FoundDeployment =
  | { readonly kind: 'found'; readonly view: { readonly lane: LaneName } }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unavailable' };

/** The fields of a request, as the schemas of its operation read them, that its subject has. */
export interface Input {
  readonly parameters: {
    readonly id: string;
    readonly owner: string;
    readonly name: string;
    readonly root: string;
    readonly number: number;
    readonly pool: string;
  };
  readonly query: { readonly lane?: string | undefined };
  readonly body: Fields;
}

type Fields = Readonly<Record<string, unknown>>;

export function findTarget(sources: TargetSources, action: ConsoleAction, input: Input): Promise<Target> {
  return FIND[ACTIONS[action].about](sources, action, input);
}

type Find = (sources: TargetSources, action: ConsoleAction, input: Input) => Promise<Target>;

const FIND: Readonly<Record<Subject, Find>> = {
  plan: ofDeployment,
  deployment: ofDeployment,
  preview: (sources, action, { parameters, body: { root: rootName, preview: deploymentId, ...body } }) =>
    ofPullRequest(sources, parameters, { ...body, action, rootName, deploymentId }),
  'pull-request': (sources, action, { parameters, body }) =>
    ofPullRequest(sources, parameters, { ...body, action, pullRequest: parameters.number }),
  lane: (sources, action, { parameters, body }) =>
    inRepository(sources, parameters, { ...body, action, rootName: parameters.root }, parameters.root),
  repository: (sources, action, { parameters, body }) => inRepository(sources, parameters, { ...body, action }),
  host: (sources, action, { parameters: { id: hostId } }) => ofHost(sources, { action, hostId }),
  destination: ({ server }, action, { parameters: { name: destination } }) => {
    const isKnown = server.current().notifications.some(({ name }) => name === destination);
    const request = { action, destination } as DestinationRequest; // Of its action's row.
    return Promise.resolve(isKnown ? { kind: 'found', wanted: { request } } : { kind: 'absent' });
  },
  // Control knows the pools, and says which there are.
  pool: (_sources, action, { parameters: { pool }, body }) => {
    const request = { ...body, action, pool } as unknown as PoolRequest; // Of its action's row.
    return Promise.resolve({ kind: 'found', wanted: { request } });
  },
};

async function ofDeployment(
  sources: TargetSources,
  action: ConsoleAction,
  { parameters: { id: deploymentId }, query, body }: Input,
): Promise<Target> {
  const known = query.lane === undefined ? undefined : parseLaneName(query.lane);
  const found = await sources.findDeployment(deploymentId, known);
  if (found.kind !== 'found') return found;
  const { lane } = found.view;
  return inRepository(sources, lane, { ...body, action, rootName: lane.rootName, deploymentId });
}

type Named = Pick<Repository, 'owner' | 'name'>;

/** A repository that we know has a lane. With a root, that one. */
async function inRepository(sources: TargetSources, named: Named, request: Fields, root?: string): Promise<Target> {
  const { lanes, unavailable } = await sources.readFleet();
  const lane = lanes.find(
    ({ owner, name, rootName, installationId }) =>
      isSame({ owner, name }, named) && installationId !== undefined && (root === undefined || root === rootName),
  );
  if (lane?.installationId === undefined) return { kind: unavailable.includes('storage') ? 'unavailable' : 'absent' };
  const { owner, name, installationId } = lane;
  return { kind: 'found', wanted: { repository: { owner, name, installationId }, request: requestOf(request) } };
}

async function ofPullRequest(
  { pullRequestRecords, logger }: TargetSources,
  { owner, name, number }: Named & { readonly number: number },
  request: Fields,
): Promise<Target> {
  try {
    const record = await pullRequestRecords.read({ owner, name }, { number });
    return record === undefined
      ? { kind: 'absent' }
      : { kind: 'found', wanted: { repository: record.repository, request: requestOf(request) } };
  } catch (error) {
    logger.warn({ err: error }, 'the record of a pull request cannot be read');
    return { kind: 'unavailable' };
  }
}

/** Its place and its body are those of its action's row. */
function requestOf(fields: Fields): ConsoleRequest {
  return fields as unknown as ConsoleRequest;
}

/** One that was stopped while it drained has no record of its own. */
async function ofHost({ hostRecords, drainRecords, logger }: TargetSources, request: HostAsked): Promise<Target> {
  try {
    const known = (await hostRecords.read(request.hostId)) ?? (await drainRecords.read(request.hostId));
    return known === undefined ? { kind: 'absent' } : { kind: 'found', wanted: { request: request as HostRequest } };
  } catch (error) {
    logger.warn({ err: error }, 'the record of a host cannot be read');
    return { kind: 'unavailable' };
  }
}

interface HostAsked {
  readonly action: ConsoleAction;
  readonly hostId: string;
}

/** Forges ignore the case of names. */
function isSame(one: Named, other: Named): boolean {
  return one.owner.toLowerCase() === other.owner.toLowerCase() && one.name.toLowerCase() === other.name.toLowerCase();
}
