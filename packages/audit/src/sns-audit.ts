/**
 * Publishes audit events to an SNS topic, with attributes that subscriptions can filter by.
 *
 * On a FIFO topic, the events of a lane keep their order, and SNS drops a repeated event by its id for five minutes. A
 * standard topic delivers at least once: subscribers recognise a repeated event by its id.
 */
import { PublishCommand, SNSClient, type MessageAttributeValue, type PublishCommandInput } from '@aws-sdk/client-sns';
import { defined } from '@nereid/domain/defined';
import type { TrailEvent } from '@nereid/domain/trail';
import type { SnsAddress } from '@nereid/domain/trail/address';
import { idFor } from '@nereid/webhook';
import type { Audit, AuditOptions } from './audit.ts';
import { AuditUnavailableError } from './errors.ts';
import { attributesOf, groupOf } from './event-words.ts';

const CLIENT_LIMITS = {
  /** The first attempt and one retry; the caller retries as well. */
  maxAttempts: 2,
  /** A publish takes tens of milliseconds; two attempts stay below the activity's 30 s. */
  requestHandler: { connectionTimeout: 3_000, requestTimeout: 8_000, throwOnRequestTimeout: true },
};

/** The limit for one event, with all attempts and the pauses between them. */
const CALL_MS = 25_000;

/** The group and deduplication ids that SNS takes: up to 128 letters, digits and punctuation marks. */
const FIFO_ID = /^[\x21-\x7e]{1,128}$/;

export function createSnsAudit(address: SnsAddress, options: AuditOptions['sns'] = {}): Audit {
  const client = new SNSClient({
    ...CLIENT_LIMITS,
    region: options.region ?? address.region,
    ...defined({ endpoint: options.endpoint }),
  });

  return {
    async record(event) {
      const message = { ...messageOf(event), TopicArn: address.topicArn, ...(address.isFifo ? fifoIdsOf(event) : {}) };
      try {
        await client.send(new PublishCommand(message), { abortSignal: AbortSignal.timeout(CALL_MS) });
      } catch (cause) {
        throw new AuditUnavailableError(event.id, address.topicArn, { cause });
      }
    },

    close: () => {
      client.destroy();
    },
  };
}

function messageOf(event: TrailEvent): Pick<PublishCommandInput, 'Message' | 'MessageAttributes'> {
  const attributes = attributesOf(event);
  const MessageAttributes = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, text(value)]));
  return { Message: JSON.stringify(event), MessageAttributes };
}

function text(value: string): MessageAttributeValue {
  return { DataType: 'String', StringValue: value };
}

function fifoIdsOf(event: TrailEvent): Pick<PublishCommandInput, 'MessageGroupId' | 'MessageDeduplicationId'> {
  return { MessageGroupId: idFor(groupOf(event), FIFO_ID), MessageDeduplicationId: idFor(event.id, FIFO_ID) };
}
