/**
 * What storage knows of a deployment goes before what is said of it in Temporal: an end that nobody signs (cancelled, an unknown
 * outcome) is that of any deployment otherwise, and a deployment that was applied could be said to wait.
 */
import { hasEnded, hasExpired, type Deployment, type DeploymentStatus } from '@nereid/domain/deployment';
import { poolOf, type Repository } from '@nereid/domain/root';
import { hasHappened } from '@nereid/domain/lane';
import { RECORD_REMOVED } from '@nereid/storage';
import type { WorkerContext } from '../platform/context.ts';

export type StoredEndContext = Pick<WorkerContext, 'signatures' | 'begunApplies' | 'deploymentRecords'>;

/** The deployment went on at the very moment at which it was asked, or was shown. The next answer is another one. */
export class SaidTooEarlyError extends Error {
  override readonly name = 'SaidTooEarlyError';
  readonly code = 'SAID_TOO_EARLY';

  constructor(deploymentId: string, said: string) {
    super(`expected what ${deploymentId} is by now, found ${said}, which was so a moment before; ask again`);
  }
}

/** More than clocks of hosts and of control differ. */
const CLOCKS_MS = 5_000;

/**
 * Throws a `ForgedError` when an apply or an end that storage knows is left out, or when the record of the end was removed. After
 * the end of the order, the marker may be gone as well, so only a stored end is believed. A statement of `saidAtMs`, in milliseconds
 * since 1970, cannot know of later events: then it throws a `SaidTooEarlyError`. Previews are neither applied nor recorded so.
 */
export async function verifyStoredEnd(
  { signatures, begunApplies, deploymentRecords }: StoredEndContext,
  repository: Repository,
  deployment: Deployment,
  saidAtMs = Infinity,
): Promise<void> {
  const { id, trigger, root, progress } = deployment;
  const { status } = progress;
  const refusal = (said: string, since: string) =>
    Date.parse(since) > saidAtMs - CLOCKS_MS
      ? new SaidTooEarlyError(id, said)
      : signatures.forged('result/outcome', said, id);
  if (trigger === 'preview') return;
  const marker = await begunApplies.of(poolOf(root)).read(id);
  // Nothing is left that could object, so nothing is believed.
  if (marker?.overtakenBy === RECORD_REMOVED)
    throw refusal(`${status} of a deployment whose record was removed, long after its end`, marker.at);
  const hasBegun = marker !== undefined && marker.overtakenBy === undefined;
  if (hasBegun && status !== 'applying' && !(hasEnded(status) && hasHappened(status)))
    throw refusal(`${status} of a deployment whose apply began`, marker.at);
  // Looking for a record that is not there costs storage several listings, so deployments that wait are spared them.
  const isOver = hasExpired(deployment, Date.now());
  if (!hasBegun && !hasEnded(status) && !isOver) return;
  const found = await deploymentRecords.find(repository, root.name, id);
  const stored = found?.deployment.progress.status;
  if (stored === undefined && marker === undefined && isOver)
    throw signatures.forged('result/outcome', `${status} of a deployment whose order has ended`, id);
  if (stored !== undefined && stored !== status && !isBetterProven(status, stored))
    throw refusal(`${status} of a deployment that ended as ${stored}`, found?.endedAt ?? '');
}

/** Whether more speaks for an end than for another one: the word of a host, or of a person. */
export function isBetterProven(end: DeploymentStatus, other: DeploymentStatus): boolean {
  return (PROOF[end] ?? 0) > (PROOF[other] ?? 0);
}

const PROOF: Partial<Record<DeploymentStatus, number>> = {
  succeeded: 2,
  'no-changes': 2,
  'apply-failed': 2,
  rejected: 1,
};
