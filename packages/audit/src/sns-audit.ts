/**
 * Publishes audit events to an SNS topic, with attributes that subscriptions can filter by.
 *
 * On a FIFO topic, the events of a lane keep their order, and SNS drops a repeated event by its id for five minutes. A
 * standard topic delivers at least once: subscribers recognise a repeated event by its id.
 */
import { createHash } from 'node:crypto';
import { PublishCommand, SNSClient, type MessageAttributeValue, type PublishCommandInput } from '@aws-sdk/client-sns';
import { defined } from '@nereid/domain/defined';
import { laneWorkflowId } from '@nereid/domain/lane';
import type { TrailEvent } from '@nereid/domain/trail';
import type { AuditAddress } from './audit-address.ts';
import type { Audit, AuditOptions } from './audit.ts';
import { AuditUnavailableError } from './errors.ts';

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

export function createSnsAudit(address: AuditAddress & { kind: 'sns' }, options: AuditOptions): Audit {
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

function attributesOf(event: TrailEvent): Readonly<Record<string, string>> {
  if (event.state === 'FORGED') return { state: event.state, forged: event.forged };
  if (event.state === 'ERASED') return { state: event.state };
  if ('hostId' in event) return { state: event.state, action: event.action };
  const { state, repository, rootName } = event;
  const of = 'trigger' in event ? { trigger: event.trigger } : { action: event.action };
  return { state, repository, ...defined({ rootName }), ...of };
}

function text(value: string): MessageAttributeValue {
  return { DataType: 'String', StringValue: value };
}

function fifoIdsOf(event: TrailEvent): Pick<PublishCommandInput, 'MessageGroupId' | 'MessageDeduplicationId'> {
  return { MessageGroupId: fifoId(groupOf(event)), MessageDeduplicationId: fifoId(event.id) };
}

/** Events keep their order within a group: the lane, the repository for events without a root, or the host. */
function groupOf(event: TrailEvent): string {
  if (event.state === 'FORGED' || event.state === 'ERASED') return event.state;
  if ('hostId' in event) return `host/${event.hostId}`;
  const { repository, rootName } = event;
  if (rootName === undefined) return repository;
  const [owner = '', name = ''] = repository.split('/');
  return laneWorkflowId({ owner, name }, rootName);
}

/** A name that SNS would not take as an id, most often because it is too long, is replaced by its hash. */
function fifoId(name: string): string {
  return FIFO_ID.test(name) ? name : createHash('sha256').update(name).digest('hex');
}
