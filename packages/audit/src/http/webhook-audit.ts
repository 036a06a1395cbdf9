/** Posts audit events to a URL, signed as Standard Webhooks describes it. */
import { Webhook } from 'standardwebhooks';
import { sinkName, type UrlAddress } from '@nereid/domain/trail/address';
import type { Audit, AuditOptions } from '../audit.ts';
import { AuditUnavailableError } from '../errors.ts';
import { idFor } from '../event-words.ts';
import { HTTP_LIMITS, postEvent } from './post-event.ts';
import { readWebhookSecrets } from './secret-file.ts';

/** A dot would make unclear where the id ends in what is signed. */
const WEBHOOK_ID = /^[\w:/|-]{1,128}$/;

export function createWebhookAudit(address: UrlAddress, secretFile: string, options: AuditOptions): Audit {
  return {
    async record(event) {
      const id = idFor(event.id, WEBHOOK_ID);
      const body = JSON.stringify(event);
      try {
        await postEvent(options.http ?? HTTP_LIMITS, async () => {
          const sentAt = new Date();
          const signatures = (await readWebhookSecrets(secretFile)).map((each) =>
            new Webhook(each).sign(id, sentAt, body),
          );
          const headers = {
            'content-type': 'application/json',
            'webhook-id': id,
            'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
            'webhook-signature': signatures.join(' '),
          };
          return { url: address.url, headers, body };
        });
      } catch (cause) {
        throw new AuditUnavailableError(event.id, sinkName(address), { cause });
      }
    },
    // Fetch keeps connections for a few seconds, and no process from its end.
    close: () => undefined,
  };
}
