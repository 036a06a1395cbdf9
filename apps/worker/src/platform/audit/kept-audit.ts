/** Keeps each event of the audit trail in storage, by day: the console's lists are made of it. */
import type { Audit } from '@nereid/audit';
import type { TrailEvent } from '@nereid/domain/trail';
import type { AuditTrail } from '@nereid/storage';

/** Throws what the trail throws. */
export function keptAudit(trail: Pick<AuditTrail, 'append'>): Audit {
  return {
    record: (event) => trail.append(timeOf(event, new Date()), event.id, event),
    close: () => undefined,
  };
}

/** When it happened, as far as the event says. Some times come through Temporal, so none is later than `now`. */
export function timeOf(event: TrailEvent, now: Date): string {
  const said = Date.parse(saidBy(event) ?? '');
  return new Date(Number.isNaN(said) ? now : Math.min(said, now.getTime())).toISOString();
}

function saidBy(event: TrailEvent): string | undefined {
  if ('jobId' in event) return event.endedAt ?? event.startedAt;
  if ('pressedAt' in event) return event.pressedAt;
  return 'at' in event ? event.at : undefined;
}
