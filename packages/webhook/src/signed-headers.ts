import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { readWebhookSecrets } from './secret-file.ts';

/** A dot would make unclear where the id ends in what is signed. */
const WEBHOOK_ID = /^[\w:/|-]{1,128}$/;

/** The headers of a JSON body as Standard Webhooks has them, of this moment. Throws `SecretFileError`. */
export async function signedHeaders(
  messageId: string,
  body: string,
  secretFile: string,
): Promise<Readonly<Record<string, string>>> {
  const id = idFor(messageId, WEBHOOK_ID);
  const sentAt = new Date();
  const signatures = (await readWebhookSecrets(secretFile)).map((each) => new Webhook(each).sign(id, sentAt, body));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}

/** A name that a place would not take as an id, most often because it is too long, is replaced by its hash. */
export function idFor(name: string, accepted: RegExp): string {
  return accepted.test(name) ? name : createHash('sha256').update(name).digest('hex');
}
