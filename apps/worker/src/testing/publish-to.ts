/** As a worker publishes, with the audit trail as its only subscriber. */
import type { Audit } from '@nereid/audit';
import { pino } from 'pino';
import { createPublish, type Publish } from '../platform/events/publish.ts';
import { createTrailSubscriber } from '../platform/events/trail-subscriber.ts';

const logger = pino({ level: 'silent' });

export function publishTo(record: Audit['record'], auditRequired = true): Publish {
  const trail = createTrailSubscriber({ audit: { record }, auditRequired, logger });
  return createPublish({ waitedFor: [trail], others: [] }, logger);
}

/** For contexts in which nobody listens. */
export const publishToNobody: Publish = createPublish({ waitedFor: [], others: [] }, logger);
