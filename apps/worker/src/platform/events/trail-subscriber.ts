/** Keeps in the audit trail what belongs there. */
import type { Audit } from '@nereid/audit';
import type { TrailEvent } from '@nereid/domain/trail';
import type { Logger } from 'pino';
import type { Subscriber } from './publish.ts';

export interface Trail {
  readonly audit: Pick<Audit, 'record'> | undefined;
  readonly auditRequired: boolean;
  readonly logger: Pick<Logger, 'error'>;
}

/** A failure is thrown when audit is required, and only logged otherwise. A forgery waits for nothing: what was refused stays refused. */
export function createTrailSubscriber({ audit, auditRequired, logger }: Trail): Subscriber {
  const isWithinLimit = createHourlyLimit();
  return async (event) => {
    if (!('fact' in event) || audit === undefined) return;
    const { kind, fact } = event;
    if (kind !== 'forged') await record(audit, fact);
    else if (isWithinLimit()) audit.record(fact).catch(logUnstored(fact));
  };

  async function record(trail: Pick<Audit, 'record'>, fact: TrailEvent): Promise<void> {
    try {
      await trail.record(fact);
    } catch (error) {
      if (auditRequired) throw error;
      logUnstored(fact)(error);
    }
  }

  function logUnstored({ id }: TrailEvent): (error: unknown) => void {
    return (err) => {
      logger.error({ err, event: id }, 'an audit event could not be stored');
    };
  }
}

/** Forgeries in the trail. Enough to see what is going on; the metric counts them all. */
const HOURLY_LIMIT = 100;

const HOUR_MS = 3_600_000;

function createHourlyLimit(): () => boolean {
  let [hour, count] = [0, 0];
  return () => {
    const current = Math.floor(Date.now() / HOUR_MS);
    if (current !== hour) [hour, count] = [current, 0];
    count += 1;
    return count <= HOURLY_LIMIT;
  };
}
