/** What a deployment did when. Pure. */
import type { Phase } from '@nereid/api';
import { defined } from '@nereid/domain/defined';
import type { DeploymentStatus, Progress } from '@nereid/domain/deployment';
import type { FleetDeployment } from '../fleet/fleet-lane.ts';

/** Of one that goes on, the times come from its lane, and may be older than the status, which Temporal lists. */
export interface Timed extends Pick<FleetDeployment, 'reviewWait'> {
  readonly receivedAt: string;
  readonly status: DeploymentStatus;
  readonly times: Progress['times'];
  readonly endedAt?: string;
}

/** In their order; the last one of a deployment that goes on has no end, and is left out where it cannot be the present one. */
export function phasesOf({ receivedAt, status, times, reviewWait, endedAt }: Timed): Phase[] {
  const begun = [
    { name: 'queued', from: receivedAt },
    { name: 'planning', from: times.preparing ?? times.planning },
    { name: 'review', from: times['awaiting-review'] ?? reviewWait?.since },
    { name: 'applying', from: times.applying },
  ] as const;
  const known = begun.flatMap(({ name, from }) => (from === undefined ? [] : [{ name, from }]));
  const last = known.at(-1)?.name;
  const isPast = endedAt === undefined && (PRESENT[status] ?? last) !== last;
  const phases = known.map((phase, index) => {
    const to = known[index + 1]?.from ?? endedAt;
    return { ...phase, ...defined({ to }) };
  });
  return isPast ? phases.slice(0, -1) : phases;
}

/** The phase in which a deployment with this status is. */
const PRESENT: Readonly<Partial<Record<DeploymentStatus, Phase['name']>>> = {
  /** Whatever it did before: its lane, or a gate before its apply, holds it up. */
  blocked: 'queued',
  'awaiting-review': 'review',
  applying: 'applying',
};
