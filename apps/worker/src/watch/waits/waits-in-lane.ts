/** What waits in a lane, and why. Pure. */
import type { Deployment, DeploymentStatus, GateName, WaitReason } from '@nereid/domain/deployment';
import { waitsOf } from '@nereid/domain/gates';
import type { LaneRecord } from '@nereid/domain/lane';
import { fullName } from '@nereid/domain/root';
import type { Waiting } from '../../platform/metrics/wait-metrics.ts';

/** What is known of the workflow of the running deployment. */
interface RunningWorkflow {
  /** Undefined where no workflow runs. */
  readonly status?: DeploymentStatus | undefined;
  /** The gate that keeps it blocked. */
  readonly gate?: GateName | undefined;
}

/** The running deployment, where that waits itself, and all those behind it. `now` is in epoch milliseconds. */
export function waitsInLane(record: LaneRecord, workflow: RunningWorkflow, now: number): readonly Waiting[] {
  const { repository, running, manual, merged, lock } = record;
  const name = fullName(repository);
  const behind = running && reasonOf(running, workflow, now);
  const itself = running !== undefined && behind !== 'queue' ? [running] : [];
  return [
    ...itself.map((one) => ({ repository: name, reason: behind ?? 'queue', since: begunAt(one) })),
    ...[...manual, ...merged].map((one) => ({
      repository: name,
      reason: behind ?? waitsOf(one, { lock }, now)[0]?.reason ?? 'queue',
      since: Date.parse(one.receivedAt),
    })),
  ];
}

/** Deployments behind it wait for the same. Its lane knows only of the waits before it has a workflow. */
function reasonOf(running: Deployment, { status, gate = 'window' }: RunningWorkflow, now: number): WaitReason {
  const [known] = waitsOf(running, {}, now);
  if (known !== undefined) return known.reason;
  switch (status) {
    case 'awaiting-review':
      return 'review';
    case 'blocked':
      return gate;
    case 'preparing':
      return 'host';
    default:
      return 'queue';
  }
}

/** When it left the queue: only its own workflow knows the later times. */
function begunAt({ progress: { times }, receivedAt }: Deployment): number {
  return Date.parse(times.preparing ?? receivedAt);
}
