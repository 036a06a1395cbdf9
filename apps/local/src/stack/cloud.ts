/** S3 and SNS on this machine: a bucket, a topic, and a subscribed queue through which the audit trail is read back. */
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { CreateTopicCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { CreateQueueCommand, GetQueueAttributesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { AuditEvent } from '@nereid/domain/trail';
import { openObjectStore } from '@nereid/storage';
import { startMoto, type Environment, type Report } from '@nereid/test-kit';
import path from 'node:path';
import type { Folders } from './folders.ts';
import { keepRunning } from './running/keep-running.ts';
import type { Storage } from './storage.ts';

export interface CloudOptions {
  readonly folders: Folders;
  readonly env: Environment;
  readonly report: Report;
  /** Returns the address at which processes reach S3 and SNS, in place of the server's own. */
  readonly through?: ((endpoint: string) => Promise<string>) | undefined;
  /** Ends the start early. */
  readonly signal?: AbortSignal | undefined;
}

const REGION = 'us-east-1';

/** Moto accepts any credentials. */
const CREDENTIALS = { accessKeyId: 'emulated', secretAccessKey: 'emulated' };

const BUCKET = 'nereid';

export async function startCloud({ folders, env, report, through, signal }: CloudOptions): Promise<Storage> {
  const logFile = path.join(folders.logs, 'moto.log');
  const start = (startSignal: AbortSignal | undefined) => startMoto({ env, report, logFile, signal: startSignal });
  await using started = new AsyncDisposableStack();
  // Moto keeps everything in memory: after a restart, it would lack everything that the other processes rely on.
  const moto = await keepRunning({
    name: 'moto, the server of S3 and SNS,',
    logFile,
    restarts: 0,
    report,
    signal,
    start,
  });
  started.defer(() => moto.stop());
  const { endpoint } = moto.first;
  const client = { endpoint, region: REGION, credentials: CREDENTIALS };
  const s3 = new S3Client({ ...client, forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket: BUCKET }));
  const sqs = new SQSClient(client);
  const { topic, queue } = await subscribeQueue(new SNSClient(client), sqs);
  const trail: AuditEvent[] = [];
  const url = `s3://${BUCKET}/nereid`;
  const reached = (await through?.(endpoint)) ?? endpoint;
  const all = started.move();
  return {
    kind: 's3',
    policy: {
      storage: { deployments: url, plans: url, logs: url, s3: { endpoint: reached, region: REGION, path_style: true } },
      audit: { to: `sns:${topic}`, required: true, sns: { endpoint: reached, region: REGION } },
    },
    environment: { AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId, AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey },
    openObjects: () => openObjectStore(url, { s3: { ...client, pathStyle: true } }),
    async recordKeys() {
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: BUCKET }));
      return Contents.map(({ Key = '' }) => Key);
    },
    async auditTrail() {
      trail.push(...(await receiveAll(sqs, queue)));
      return trail;
    },
    broken: moto.broken,
    stop: () => all.disposeAsync(),
  };
}

async function subscribeQueue(sns: SNSClient, sqs: SQSClient): Promise<{ topic: string; queue: string }> {
  const { TopicArn: topic = '' } = await sns.send(new CreateTopicCommand({ Name: 'nereid' }));
  const { QueueUrl: queue = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'nereid' }));
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queue, AttributeNames: ['QueueArn'] }),
  );
  const Endpoint = Attributes?.QueueArn ?? '';
  const Attribute = { RawMessageDelivery: 'true' };
  await sns.send(new SubscribeCommand({ TopicArn: topic, Protocol: 'sqs', Endpoint, Attributes: Attribute }));
  return { topic, queue };
}

/** A message that was received stays hidden for 30 s, far longer than it takes to empty the queue. */
async function receiveAll(sqs: SQSClient, queue: string): Promise<AuditEvent[]> {
  const events: AuditEvent[] = [];
  for (;;) {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: queue, MaxNumberOfMessages: 10 }));
    if (Messages.length === 0) return events;
    // The audit package wrote each message from an event.
    events.push(...Messages.map(({ Body = '' }) => JSON.parse(Body) as AuditEvent));
  }
}
