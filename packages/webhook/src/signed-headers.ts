import { Webhook } from 'standardwebhooks';
import { idFor } from '../event-words.ts';
import { readWebhookSecrets } from './secret-file.ts';

/** A dot would make unclear where the id ends in what is signed. */
const WEBHOOK_ID = /^[\w:/|-]{1,128}$/;

/** The headers of a JSON body as Standard Webhooks has them, of this moment. Throws `AuditSecretError`. */
export async function signedHeaders(
  eventId: string,
  body: string,
  secretFile: string,
): Promise<Readonly<Record<string, string>>> {
  const id = idFor(eventId, WEBHOOK_ID);
  const sentAt = new Date();
  const signatures = (await readWebhookSecrets(secretFile)).map((each) => new Webhook(each).sign(id, sentAt, body));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}
