import { ENDED_STATUSES, type DeploymentRecord, type Progress } from '@nereid/domain/deployment';
import { Counter, Histogram, type Registry } from 'prom-client';

/** A plan takes seconds, an apply minutes or hours; a review stays open for up to a week. */
const SECONDS = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400, 259_200, 604_800];

const TRIGGERS = ['merge', 'manual'];

const PHASES = ['queue', 'host', 'plan', 'review', 'apply'] as const;

type Phase = (typeof PHASES)[number];

/** Returns a function that counts each deployment whose end was stored, and the time that each of its phases took. */
export function measureDeployments(registry: Registry): (record: Pick<DeploymentRecord, 'deployment'>) => void {
  const registers = [registry];
  const ended = new Counter({
    name: 'nereid_deployments_total',
    help: 'Deployments that ended, by trigger and status; no previews.',
    labelNames: ['trigger', 'status'],
    registers,
  });
  // Prometheus sees no increase in a series that begins with it, and a single unknown outcome matters.
  for (const trigger of TRIGGERS) for (const status of ENDED_STATUSES) ended.inc({ trigger, status }, 0);
  const seconds = new Histogram({
    name: 'nereid_deployment_phase_seconds',
    help: 'How long deployments that ended were in the queue, waited for a host, were planned, waited for a review, and were applied.',
    labelNames: ['phase'],
    buckets: SECONDS,
    registers,
  });
  for (const phase of PHASES) seconds.zero({ phase });
  return ({ deployment: { trigger, progress } }) => {
    ended.inc({ trigger, status: progress.status });
    for (const [phase, took] of Object.entries(phasesOf(progress)))
      if (took !== undefined) seconds.observe({ phase }, took);
  };
}

/** Each from its beginning to that of the next one, in seconds. Only the last times of a plan that was made again are known. */
function phasesOf({ status, times }: Progress): Readonly<Record<Phase, number | undefined>> {
  const { queued, preparing, planning, 'awaiting-review': asked, applying, [status]: end } = times;
  return {
    queue: secondsBetween(queued, preparing ?? end),
    host: secondsBetween(preparing, planning ?? end),
    plan: secondsBetween(planning, asked ?? applying ?? end),
    review: secondsBetween(asked, applying ?? end),
    apply: secondsBetween(applying, end),
  };
}

/** The times come through Temporal. What lies before its beginning, or is no time, is left out. */
function secondsBetween(from: string | undefined, to: string | undefined): number | undefined {
  const seconds = (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1_000;
  return seconds >= 0 ? seconds : undefined;
}
