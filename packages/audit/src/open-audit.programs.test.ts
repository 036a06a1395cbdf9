import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CreateTopicCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
  type Message,
} from '@aws-sdk/client-sqs';
import { defined } from '@nereid/domain/defined';
import type { AuditEvent, JobAuditEvent } from '@nereid/domain/trail';
import { startMoto, type Emulator } from '@nereid/test-kit';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Audit } from './audit.ts';
import { parseAuditUrl } from './audit-url.ts';
import { AuditUnavailableError, InvalidAuditUrlError } from './errors.ts';
import { probeAudit } from './probe-audit.ts';
import { anEventWithId, aDrain, aRefusal } from './fixtures/an-event.ts';
import { openAudit } from './open-audit.ts';

const folder = folderOfThisFile();
let moto: Emulator;
let sns: SNSClient;
let sqs: SQSClient;

// Installing moto, the first time, takes minutes on a slow line.
const INSTALL_MS = 600_000;

beforeAll(async () => {
  moto = await startMoto({ env: process.env, report: () => undefined, logFile: join(folder, 'moto.log') });
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any' });
  sns = new SNSClient({ endpoint: moto.endpoint, region: 'eu-central-1' });
  sqs = new SQSClient({ endpoint: moto.endpoint, region: 'eu-central-1' });
}, INSTALL_MS);

afterAll(async () => {
  sns.destroy();
  sqs.destroy();
  await moto.stop();
});

/** Where events go, and what has arrived there. */
interface Destination {
  readonly audit: Audit;
  arrived(): Promise<AuditEvent[]>;
}

const destinations: Record<string, (name: string) => Promise<Destination>> = {
  'a file': async (name) => {
    const path = join(folder, name, 'audit.jsonl');
    return { audit: await auditTo(`file:${path}`), arrived: async () => eventsOf(await readFile(path, 'utf8')) };
  },
  'a standard topic': async (name) => topicWithQueue(name, {}),
  'a FIFO topic': async (name) => topicWithQueue(`${name}.fifo`, { FifoTopic: 'true' }),
};

describe.each(Object.entries(destinations))('events to %s', (kind, open) => {
  test('arrive complete and in order', async () => {
    const destination = await open(`order-${kind.replaceAll(' ', '-')}`);

    await destination.audit.record(anEvent('job-1', 'RUNNING'));
    await destination.audit.record(anEvent('job-1', 'SUCCESS'));

    expect(await destination.arrived()).toEqual([anEvent('job-1', 'RUNNING'), anEvent('job-1', 'SUCCESS')]);
    destination.audit.close();
  });
});

describe.each(Object.entries(destinations).filter(([kind]) => kind !== 'a standard topic'))('to %s', (kind, open) => {
  test('an event that is recorded again arrives once', async () => {
    const destination = await open(`once-${kind.replaceAll(' ', '-')}`);

    await destination.audit.record(anEvent('job-1', 'RUNNING'));
    await destination.audit.record(anEvent('job-1', 'RUNNING'));
    await destination.audit.record(anEvent('job-2', 'RUNNING'));

    expect((await destination.arrived()).map(({ id }) => id)).toEqual(['job-1:RUNNING', 'job-2:RUNNING']);
    destination.audit.close();
  });
});

test('a message carries what subscriptions filter by', async () => {
  const { audit, receive } = await topicWithQueue('filtered', {});

  await audit.record(anEvent('job-1', 'FAILURE'));

  const [message] = await receive();
  expect(message?.MessageAttributes).toEqual({
    state: { DataType: 'String', StringValue: 'FAILURE' },
    repository: { DataType: 'String', StringValue: 'acme/infra' },
    rootName: { DataType: 'String', StringValue: 'network' },
    trigger: { DataType: 'String', StringValue: 'merge' },
  });
  audit.close();
});

test('a message about a press carries its action, and a root where it has one', async () => {
  const { audit, receive } = await topicWithQueue('pressed.fifo', { FifoTopic: 'true' });

  await audit.record(aRefusal('delivery-1:REFUSED'));
  await audit.record({ ...aRefusal('delivery-2:REFUSED'), rootName: 'network' });

  const [without, withRoot] = await receive();
  const attributes = {
    state: { DataType: 'String', StringValue: 'REFUSED' },
    repository: { DataType: 'String', StringValue: 'acme/infra' },
    action: { DataType: 'String', StringValue: 'apply' },
  };
  expect(without?.MessageAttributes).toEqual(attributes);
  expect(without?.Attributes).toMatchObject({ MessageGroupId: 'acme/infra' });
  expect(withRoot?.MessageAttributes).toEqual({
    ...attributes,
    rootName: { DataType: 'String', StringValue: 'network' },
  });
  expect(withRoot?.Attributes).toMatchObject({ MessageGroupId: 'acme/infra||network' });
  audit.close();
});

test('a message about a host carries its action, and is in order with the others of that host', async () => {
  const { audit, receive } = await topicWithQueue('drained.fifo', { FifoTopic: 'true' });

  await audit.record(aDrain('request-1:REVIEWED'));

  const [message] = await receive();
  expect(message?.MessageAttributes).toEqual({
    state: { DataType: 'String', StringValue: 'REVIEWED' },
    action: { DataType: 'String', StringValue: 'drain' },
  });
  expect(message?.Attributes).toMatchObject({ MessageGroupId: 'host/h1' });
  audit.close();
});

test('a FIFO message has the lane for its group and the id of the event for its deduplication', async () => {
  const { audit, receive } = await topicWithQueue('grouped.fifo', { FifoTopic: 'true' });

  await audit.record(anEvent('job-1', 'RUNNING'));
  await audit.record({
    ...anEvent('job-2', 'RUNNING'),
    rootName: 'r'.repeat(100),
    repository: `acme/${'n'.repeat(100)}`,
  });

  const attributes = (await receive()).map((message) => message.Attributes);
  expect(attributes[0]).toMatchObject({
    MessageGroupId: 'acme/infra||network',
    MessageDeduplicationId: 'job-1:RUNNING',
  });
  expect(attributes[1]?.MessageGroupId).toMatch(/^[0-9a-f]{64}$/);
  audit.close();
});

test('a topic that is not there or does not answer is unavailable, with the event', async () => {
  const missing = await auditTo('sns:arn:aws:sns:eu-central-1:123456789012:none', moto.endpoint);
  const silent = await auditTo('sns:arn:aws:sns:eu-central-1:123456789012:none', 'http://127.0.0.1:9');

  await expect(missing.record(anEvent('job-1', 'RUNNING'))).rejects.toThrow(AuditUnavailableError);
  await expect(silent.record(anEvent('job-1', 'RUNNING'))).rejects.toMatchObject({
    code: 'AUDIT_UNAVAILABLE',
    eventId: 'job-1:RUNNING',
  });
});

test.each([
  'sns:topic',
  'sns:arn:aws:sqs:eu-west-1:123456789012:x',
  'file:relative.jsonl',
  'file:/folder/',
  'secret',
  'file:/a%',
  'pubsub:acme/topics/audit',
  'webhook:ftp://example.org',
  'eventgrid:https://user@example.org',
  'constructor:x',
])('the address %s is refused without being repeated', async (url) => {
  await expect(openAudit({ to: url })).rejects.toThrow(InvalidAuditUrlError);
  await expect(openAudit({ to: url })).rejects.not.toThrow(url);
});

test('a topic is known by its ARN, with its region and whether it is FIFO', () => {
  expect(parseAuditUrl('sns:arn:aws-cn:sns:cn-north-1:123456789012:deploys.fifo')).toEqual({
    kind: 'sns',
    topicArn: 'arn:aws-cn:sns:cn-north-1:123456789012:deploys.fifo',
    region: 'cn-north-1',
    isFifo: true,
  });
});

async function auditTo(to: string, endpoint?: string): Promise<Audit> {
  return (await openAudit({ to }, { sns: defined({ endpoint }) })).audit;
}

/** A topic with a queue subscribed to it, which receives what any subscriber would. */
async function topicWithQueue(name: string, attributes: Record<string, string>) {
  const queueAttributes = name.endsWith('.fifo') ? { FifoQueue: 'true' } : {};
  const { TopicArn = '' } = await sns.send(new CreateTopicCommand({ Name: name, Attributes: attributes }));
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: queueAttributes }));
  const queue = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  const subscription = {
    TopicArn,
    Protocol: 'sqs',
    Endpoint: queue.Attributes?.QueueArn,
    Attributes: { RawMessageDelivery: 'true' },
  };
  await sns.send(new SubscribeCommand(subscription));

  /** Everything that is in the queue now; moto delivers before it answers a publish. */
  async function receive(): Promise<Message[]> {
    const all: Message[] = [];
    for (;;) {
      const request = {
        QueueUrl,
        MaxNumberOfMessages: 10,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['All' as const],
      };
      const { Messages: batch = [] } = await sqs.send(new ReceiveMessageCommand(request));
      if (batch.length === 0) return all;
      all.push(...batch);
      for (const { ReceiptHandle } of batch) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
  }

  const audit = await auditTo(`sns:${TopicArn}`, moto.endpoint);
  const arrived = async () => (await receive()).flatMap(({ Body = '' }) => eventsOf(Body));
  return { audit, arrived, receive };
}

function eventsOf(lines: string): AuditEvent[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditEvent); // Compared whole by the tests.
}

function anEvent(jobId: string, state: JobAuditEvent['state']): JobAuditEvent {
  return { ...anEventWithId(`${jobId}:${state}`), jobId, state };
}

describe('a probe', () => {
  const options = () => ({ sns: { endpoint: moto.endpoint } });
  const topicUrl = (name: string) => `sns:arn:aws:sns:eu-central-1:123456789012:${name}`;
  const topic = (name: string) => ({ to: topicUrl(name) });

  test('finds a topic, and records nothing', async () => {
    const { arrived } = await topicWithQueue('probed', {});

    expect(await probeAudit(topic('probed'), options())).toEqual({ name: topicUrl('probed'), kind: 'usable' });

    expect(await arrived()).toEqual([]);
  });

  test('says that a topic does not exist, and what to do', async () => {
    expect(await probeAudit(topic('nowhere'), options())).toEqual({
      name: topicUrl('nowhere'),
      kind: 'unusable',
      sentence: expect.stringMatching(
        /^expected the topic arn:\S+:nowhere, found none of this name \(NotFound\w*\); create it, or correct audit\.to$/,
      ),
      mayPass: false,
    });
  });

  test('tells a service that is away apart', async () => {
    expect(await probeAudit(topic('probed'), { sns: { endpoint: 'http://127.0.0.1:9' } })).toMatchObject({
      kind: 'unusable',
      mayPass: true,
    });
  });

  test('takes a file that is not there yet, but no file in the place of its folder', async () => {
    expect(await probeAudit({ to: `file:${folder}/made/when/needed.jsonl` })).toMatchObject({ kind: 'usable' });
    await writeFile(join(folder, 'a-file'), '');

    expect(await probeAudit({ to: `file:${folder}/a-file/audit.jsonl` })).toMatchObject({
      sentence: expect.stringContaining('found the file'),
      mayPass: false,
    });
  });
});
