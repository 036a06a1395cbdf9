/** What waits in a lane, and why. Pure. */
import type { Deployment, DeploymentStatus } from '@nereid/domain/deployment';
import { type LaneRecord, passes } from '@nereid/domain/lane';
import type { WaitReason } from '@nereid/domain/events';
import { fullName } from '@nereid/domain/root';
import type { Waiting } from '../platform/metrics/wait-metrics.ts';

/** The status of a deployment whose workflow runs; undefined of any other. */
export type StatusOf = (deploymentId: string) => DeploymentStatus | undefined;

/** The running deployment, where that waits itself, and all those behind it. */
export function waitsInLane(record: LaneRecord, statusOf: StatusOf): readonly Waiting[] {
  const { repository, running, manual, merged, lock } = record;
  const name = fullName(repository);
  const behind = running && reasonOf(running, statusOf);
  const itself = running !== undefined && behind !== 'turn' ? [running] : [];
  return [
    ...itself.map((one) => ({ repository: name, reason: behind ?? 'turn', since: begunAt(one) })),
    ...[...manual, ...merged].map((one) => ({
      repository: name,
      reason: behind ?? reasonInQueue(one, lock),
      since: Date.parse(one.receivedAt),
    })),
  ];
}

/** Deployments behind it wait for the same. */
function reasonOf({ id, progress }: Deployment, statusOf: StatusOf): WaitReason {
  if (progress.status === 'blocked') return progress.waitsFor === 'gate' ? 'gate' : 'blocked';
  switch (statusOf(id)) {
    case 'awaiting-review':
      return 'review';
    case 'blocked':
      return 'gate';
    case 'preparing':
      return 'host';
    default:
      return 'turn';
  }
}

/** Nothing runs in its lane. */
function reasonInQueue(deployment: Deployment, lock: LaneRecord['lock']): WaitReason {
  if (!passes(deployment, lock)) return 'lock';
  return deployment.progress.reason === undefined ? 'turn' : 'lanes';
}

/** When it left the queue: only its own workflow knows the later times. */
function begunAt({ progress: { times }, receivedAt }: Deployment): number {
  return Date.parse(times.preparing ?? receivedAt);
}
