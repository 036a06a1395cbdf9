/** Publishes audit events to a topic of Azure Event Grid, as CloudEvents. */
import type { TrailEvent } from '@nereid/domain/trail';
import { sinkName, type UrlAddress } from '@nereid/domain/trail/address';
import { readKey } from '@nereid/webhook';
import type { Audit, AuditOptions } from '../audit.ts';
import { AuditUnavailableError } from '../errors.ts';
import { groupOf } from '../event-words.ts';
import { HTTP_LIMITS, postEvent } from './post-event.ts';

/** The only one in which topics take events. */
const API_VERSION = '2018-01-01';

export function createEventGridAudit(address: UrlAddress, keyFile: string, options: AuditOptions): Audit {
  const url = new URL(address.url);
  if (!url.searchParams.has('api-version')) url.searchParams.set('api-version', API_VERSION);
  return {
    async record(event) {
      const body = JSON.stringify(cloudEventOf(event));
      try {
        await postEvent(options.http ?? HTTP_LIMITS, async () => ({
          url: url.href,
          headers: {
            'content-type': 'application/cloudevents+json; charset=utf-8',
            'aeg-sas-key': await readKey(keyFile),
          },
          body,
        }));
      } catch (cause) {
        throw new AuditUnavailableError(event.id, sinkName(address), { cause });
      }
    },
    // Fetch keeps connections for a few seconds, and no process from its end.
    close: () => undefined,
  };
}

/** Source and id together name an event, and the subject is what filters know of it. */
function cloudEventOf(event: TrailEvent): object {
  return {
    specversion: '1.0',
    id: event.id,
    source: '/nereid/audit',
    type: `nereid.audit.${event.state.toLowerCase()}`,
    subject: groupOf(event),
    datacontenttype: 'application/json',
    data: event,
  };
}
