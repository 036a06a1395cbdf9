/** Posts audit events to a URL, signed as Standard Webhooks describes it. */
import { sinkName, type UrlAddress } from '@nereid/domain/trail/address';
import { signedHeaders } from '@nereid/webhook';
import type { Audit, AuditOptions } from '../audit.ts';
import { AuditUnavailableError } from '../errors.ts';
import { HTTP_LIMITS, postEvent } from './post-event.ts';

export function createWebhookAudit(address: UrlAddress, secretFile: string, options: AuditOptions): Audit {
  return {
    async record(event) {
      const body = JSON.stringify(event);
      try {
        await postEvent(options.http ?? HTTP_LIMITS, async () => ({
          url: address.url,
          headers: await signedHeaders(event.id, body, secretFile),
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
