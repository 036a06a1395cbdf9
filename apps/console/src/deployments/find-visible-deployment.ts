/** Finds the deployment that a request names, if its visitor may see it. */
import { deploymentPageSubject, parseLaneName, type LaneName } from '@nereid/domain/console';
import type { Request } from 'express';
import { KEYLESS } from '../access/keyless.ts';
import { openPage, type OpeningSources } from '../access/open-page.ts';
import type { Refusal } from '../access/reading.ts';
import type { Message } from '../platform/http/send-message.ts';
import type { DeploymentView } from './deployment-view.ts';
import { findWithPending, type Found, type PendingSources } from './find/find-deployment.ts';

export type VisibleDeploymentSources = OpeningSources & PendingSources;

/** As a request has it: anything. */
export interface NamedDeployment {
  readonly id: unknown;
  /** The `lane` in the query of the address. */
  readonly lane: unknown;
}

export type DeploymentOrRefusal = Found | { readonly kind: 'keyless' } | Refusal;

export type Find = (id: string, lane: LaneName | undefined) => Promise<Found>;

/** People without a key get the same answer for every address, and so do people who may not see it and people who ask for nothing. */
export async function findVisibleDeployment(
  sources: VisibleDeploymentSources,
  request: Request,
  { id, lane: named }: NamedDeployment,
  find: Find = (...asked) => findWithPending(sources, ...asked),
): Promise<DeploymentOrRefusal> {
  const lane = laneOf(named);
  const isId = typeof id === 'string' && isDeploymentId(id);
  // A key is for the deployment of one lane.
  const subject = isId && lane !== undefined ? deploymentPageSubject(id, lane) : undefined;
  const opened = await openPage(sources, request, subject);
  if (opened.kind !== 'open') return opened;
  if (!isId || (lane && !(await opened.maySee(lane)))) return { kind: 'absent' };
  const found = await find(id, lane);
  // Temporal said whose it is.
  if (found.kind !== 'found') return found;
  if (!(await opened.maySee(found.view.lane))) return { kind: 'absent' };
  return (await opened.isMember(found.view.lane)) ? found : { kind: 'found', view: withoutPending(found.view) };
}

/** A failure may name what is nobody else's business, such as the place of a bucket. */
function withoutPending({ pending: _pending, ...view }: DeploymentView): DeploymentView {
  return view;
}

export function laneOf(named: unknown): LaneName | undefined {
  return typeof named === 'string' ? parseLaneName(named) : undefined;
}

/** Only a UUID, so that nobody can ask for other workflows this way. */
function isDeploymentId(id: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id);
}

export const DEPLOYMENT_NOT_SHOWN: Readonly<
  Record<Exclude<DeploymentOrRefusal['kind'], 'found' | 'refused'>, Message>
> = {
  absent: {
    status: 404,
    title: 'Not found',
    sentence:
      'There is no such deployment, or this link does not open it: links open their page for 90 days. Use the link of its check run.',
  },
  keyless: KEYLESS,
  unavailable: {
    status: 503,
    title: 'Not available',
    sentence:
      'Storage or Temporal did not answer, so this deployment cannot be shown. Its check run may say why; otherwise try again in a moment.',
  },
};
