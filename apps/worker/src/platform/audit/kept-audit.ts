/** Keeps each event of the audit trail in storage as well, by day: the console's lists are made of it. */
import type { Audit } from '@nereid/audit';
import type { TrailEvent } from '@nereid/domain/trail';
import type { AuditTrail } from '@nereid/storage';

/** `audit` is where the server's file sends events; undefined where it names no place. Throws what either throws. */
export function keptAudit(audit: Audit | undefined, trail: Pick<AuditTrail, 'append'>): Audit {
  return {
    async record(event) {
      await Promise.all([audit?.record(event), trail.append(timeOf(event, new Date()), event.id, event)]);
    },
    close: () => {
      audit?.close();
    },
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
