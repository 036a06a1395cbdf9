/** Tells the audit trail that somebody posed as another one. */
import { randomUUID } from 'node:crypto';
import type { Audit } from '@nereid/audit';
import type { ForgedError } from '@nereid/signature';
import type { Logger } from 'pino';

/** Enough to see what is going on. The metric counts them all. */
const HOURLY_LIMIT = 100;

const HOUR_MS = 3_600_000;

/** Returns a function that never throws and is not waited for: what was refused stays refused. */
export function createForgedTrail(
  audit: Pick<Audit, 'record'> | undefined,
  logger: Pick<Logger, 'error'>,
): (error: ForgedError, about: string) => void {
  let [hour, told] = [0, 0];
  return (error, about) => {
    const now = Date.now();
    const current = Math.floor(now / HOUR_MS);
    if (current !== hour) [hour, told] = [current, 0];
    told += 1;
    if (told > HOURLY_LIMIT) return;
    const event = {
      version: 1,
      id: `${randomUUID()}:FORGED`,
      state: 'FORGED',
      forged: error.kind,
      sentence: error.message,
      about,
      at: new Date(now).toISOString(),
    } as const;
    audit?.record(event).catch((err: unknown) => {
      logger.error({ err, event: event.id }, 'an audit event could not be stored');
    });
  };
}
