/** Publishes audit events to a topic of Google Cloud Pub/Sub, with the identity that the cloud gives this process. */
import type { TrailEvent } from '@nereid/domain/trail';
import { sinkName, type PubsubAddress } from '@nereid/domain/trail/address';
import { idFor } from '@nereid/webhook';
import type { Audit, AuditOptions } from '../audit.ts';
import { AuditAnswerError, AuditUnavailableError } from '../errors.ts';
import { attributesOf, groupOf } from '../event-words.ts';
import { HTTP_LIMITS, postEvent } from './post-event.ts';
import { createPubsubCalls } from './pubsub-calls.ts';

/** Pub/Sub takes up to 1,024 bytes. */
const ORDERING_KEY = /^.{1,250}$/;

export function createPubsubAudit(address: PubsubAddress, options: AuditOptions): Audit {
  const calls = createPubsubCalls(address, options.pubsub);
  return {
    async record(event) {
      const body = { messages: [messageOf(event)] };
      try {
        await postEvent(options.http ?? HTTP_LIMITS, () => calls.prepare('publish', body), checkTaken);
      } catch (cause) {
        // The token may be known no more, or whoever gives it may never answer.
        calls.forget();
        throw new AuditUnavailableError(event.id, sinkName(address), { cause });
      }
    },
    // Fetch keeps connections for a few seconds, and no process from its end.
    close: () => undefined,
  };
}

function messageOf(event: TrailEvent): object {
  return {
    data: Buffer.from(JSON.stringify(event)).toString('base64'),
    attributes: { id: event.id, ...attributesOf(event) },
    orderingKey: idFor(groupOf(event), ORDERING_KEY),
  };
}

/** Google names the message that it stored; a login page, or what else says 200, does not. */
function checkTaken(answer: string): void {
  if (!/"messageIds"\s*:\s*\[\s*"[^"]+"\s*\]/.test(answer))
    throw new AuditAnswerError(200, ' without the id of a message');
}
