/** Finds the deployment that a request names, if its visitor may see it. */
import { deploymentPageSubject, parseLaneName, type LaneName } from '@nereid/github';
import { KEYLESS } from '../access/keyless.ts';
import { mayRead } from '../access/may-read.ts';
import type { Context } from '../context.ts';
import type { Message } from '../html/send-message.ts';
import { findDeployment, type Found } from './find/find-deployment.ts';

/** As a request has it: anything. */
export interface NamedDeployment {
  readonly id: unknown;
  /** The `lane` and the `key` in the query of the address. */
  readonly lane: unknown;
  readonly key: unknown;
  /** The `Host` header. */
  readonly host: string | undefined;
}

export type LookedUp = Found | { readonly kind: 'keyless' };

export type Find = (id: string, lane: LaneName | undefined) => Promise<Found>;

/** People without a key get the same answer for every address, and so do people who may not see it and people who ask for nothing. */
export async function lookUpDeployment(
  context: Context,
  { id, lane: named, key, host }: NamedDeployment,
  find: Find = (...asked) => findDeployment(context, ...asked),
): Promise<LookedUp> {
  if (context.access.kind === 'link' && key === undefined) return { kind: 'keyless' };
  if (typeof id !== 'string' || !isDeploymentId(id)) return { kind: 'absent' };
  const lane = laneOf(named);
  // A key is for the deployment of one lane.
  const subject = lane === undefined ? '' : deploymentPageSubject(id, lane);
  return mayRead(context.access, { subject, key, host }) ? find(id, lane) : { kind: 'absent' };
}

export function laneOf(named: unknown): LaneName | undefined {
  return typeof named === 'string' ? parseLaneName(named) : undefined;
}

/** Only a UUID, so that nobody can ask for other workflows this way. */
function isDeploymentId(id: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id);
}

export const DEPLOYMENT_NOT_SHOWN: Readonly<Record<Exclude<LookedUp['kind'], 'found'>, Message>> = {
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
