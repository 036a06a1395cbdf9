/** What a request is about, as we know it: its repository with the installation that acts there, or a host; and the request. */
import type { ACTIONS } from '@nereid/api';
import { type ActionName } from '@nereid/api';
import type { ConsoleRequest, HostRequest, Repository } from '@nereid/contracts';
import { parseLaneName, type LaneName } from '@nereid/github';
import type { DrainRecords, HostRecords, PullRequestRecords } from '@nereid/storage';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { ReadFleet } from '../fleet/fleet.ts';
import type { Wanted } from './make-request.ts';

export type Target =
  { readonly kind: 'found'; readonly wanted: Wanted } | { readonly kind: 'absent' } | { readonly kind: 'unavailable' };

/** What knows the things that people act on. */
export interface TargetSources {
  readonly findDeployment: (id: string, lane: LaneName | undefined) => Promise<FoundDeployment>;
  readonly readFleet: ReadFleet;
  readonly pullRequestRecords: Pick<PullRequestRecords, 'read'>;
  readonly hostRecords: Pick<HostRecords, 'read'>;
  readonly drainRecords: Pick<DrainRecords, 'read'>;
  readonly logger: Pick<Logger, 'warn'>;
}

type FoundDeployment =
  | { readonly kind: 'found'; readonly view: { readonly lane: LaneName } }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unavailable' };

export interface Input<Name extends ActionName> {
  readonly parameters: z.infer<(typeof ACTIONS)[Name]['parameters']>;
  readonly query: z.infer<(typeof ACTIONS)[Name]['query']>;
  readonly body: z.infer<(typeof ACTIONS)[Name]['body']>;
}

type FindTarget<Name extends ActionName> = (sources: TargetSources, input: Input<Name>) => Promise<Target>;

export const FIND_TARGET: { readonly [Name in ActionName]: FindTarget<Name> } = {
  deployRevision: async (sources, { body }) => {
    const [owner = '', name = ''] = body.repository.split('/');
    const request = { action: 'deploy', rootNames: body.roots, sha: body.revision } as const;
    return inRepository(sources, { owner, name }, request);
  },
  reviewPlan: (sources, input) => {
    const action = input.body.answer === 'approved' ? 'confirm' : 'reject';
    return ofDeployment(sources, input, (place) => ({ action, ...place, seen: input.body.seen }));
  },
  overridePolicies: (sources, input) =>
    ofDeployment(sources, input, (place) => ({ action: 'override', ...place, seen: input.body.seen })),
  cancelDeployment: (sources, input) => ofDeployment(sources, input, (place) => ({ action: 'cancel', ...place })),
  rerunDeployment: (sources, input) => ofDeployment(sources, input, (place) => ({ action: 'rerun', ...place })),
  unlockLane: (sources, { parameters: { owner, name, root: rootName }, body: { deployment: deploymentId } }) =>
    inRepository(sources, { owner, name }, { action: 'unlock', rootName, deploymentId }, rootName),
  planPullRequest: (sources, { parameters, body }) =>
    ofPullRequest(sources, parameters, { action: 'plan', pullRequest: parameters.number, rootNames: body.roots }),
  confirmForMerge: (sources, { parameters, body: { root: rootName, preview: deploymentId, seen } }) =>
    ofPullRequest(sources, parameters, { action: 'merge', rootName, deploymentId, seen }),
  drainHost: (sources, { parameters: { id: hostId } }) => ofHost(sources, { action: 'drain', hostId }),
  resumeHost: (sources, { parameters: { id: hostId } }) => ofHost(sources, { action: 'resume', hostId }),
};

interface OfDeployment {
  readonly parameters: { readonly id: string };
  readonly query: { readonly lane?: string | undefined };
}

interface Place {
  readonly rootName: string;
  readonly deploymentId: string;
}

async function ofDeployment(
  sources: TargetSources,
  { parameters: { id }, query }: OfDeployment,
  requestFor: (place: Place) => ConsoleRequest,
): Promise<Target> {
  const found = await sources.findDeployment(id, query.lane === undefined ? undefined : parseLaneName(query.lane));
  if (found.kind !== 'found') return found;
  const { lane } = found.view;
  return inRepository(sources, lane, requestFor({ rootName: lane.rootName, deploymentId: id }));
}

type Named = Pick<Repository, 'owner' | 'name'>;

/** A repository that we know has a lane. With a root, that one. */
async function inRepository(
  sources: TargetSources,
  named: Named,
  request: ConsoleRequest,
  root?: string,
): Promise<Target> {
  const { lanes, unavailable } = await sources.readFleet();
  const lane = lanes.find(
    ({ owner, name, rootName, installationId }) =>
      isSame({ owner, name }, named) && installationId !== undefined && (root === undefined || root === rootName),
  );
  if (lane?.installationId === undefined) return { kind: unavailable.includes('storage') ? 'unavailable' : 'absent' };
  const { owner, name, installationId } = lane;
  return { kind: 'found', wanted: { repository: { owner, name, installationId }, request } };
}

async function ofPullRequest(
  { pullRequestRecords, logger }: TargetSources,
  { owner, name, number }: Named & { readonly number: number },
  request: ConsoleRequest,
): Promise<Target> {
  try {
    const record = await pullRequestRecords.read({ owner, name }, { number });
    return record === undefined
      ? { kind: 'absent' }
      : { kind: 'found', wanted: { repository: record.repository, request } };
  } catch (error) {
    logger.warn({ err: error }, 'the record of a pull request cannot be read');
    return { kind: 'unavailable' };
  }
}

/** One that was stopped while it drained has no record of its own. */
async function ofHost({ hostRecords, drainRecords, logger }: TargetSources, request: HostRequest): Promise<Target> {
  try {
    const known = (await hostRecords.read(request.hostId)) ?? (await drainRecords.read(request.hostId));
    return known === undefined ? { kind: 'absent' } : { kind: 'found', wanted: { request } };
  } catch (error) {
    logger.warn({ err: error }, 'the record of a host cannot be read');
    return { kind: 'unavailable' };
  }
}

/** GitHub ignores the case of names. */
function isSame(one: Named, other: Named): boolean {
  return one.owner.toLowerCase() === other.owner.toLowerCase() && one.name.toLowerCase() === other.name.toLowerCase();
}
