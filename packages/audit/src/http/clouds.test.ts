/** Pub/Sub and Event Grid, as servers that follow their published REST APIs. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { AuditSink } from '@nereid/domain/trail/address';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { anEventWithId, aDrain } from '../fixtures/an-event.ts';
import { openAudit } from '../open-audit.ts';
import { probeAudit } from '../probe-audit.ts';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { endless, openReceiver, silence, status, type Answer, type Receiver } from '@nereid/test-kit/receiver';
import { timeoutsWithoutStalls } from '@nereid/test-kit/timeouts-without-stalls';

const EVENT = anEventWithId('job-1:RUNNING');
/** A receiver that answers may be slow on a busy machine. */
const PATIENTLY = { attempts: 2, answerMs: 60_000, pauseMs: 1 };

/** Only for receivers that never answer. */
const QUICKLY = { ...PATIENTLY, answerMs: 300 };

const folder = folderOfEachTest();
let cloud: Receiver;
let tokens: Receiver;

beforeEach(async () => {
  cloud = await openReceiver();
  tokens = await openReceiver();
});

afterEach(async () => {
  jest.useRealTimers();
  delete process.env['GOOGLE_APPLICATION_CREDENTIALS'];
  await Promise.all([cloud.close(), tokens.close()]);
});

const options = (http = PATIENTLY) => ({ pubsub: { endpoint: cloud.url }, http });

/** Where `answer` is all that the service has to say. */
async function record(sink: AuditSink, answer?: Answer): Promise<void> {
  const { audit } = await openAudit(sink, options(answer === silence ? QUICKLY : PATIENTLY));
  await audit.record(EVENT);
}

describe('Google Pub/Sub', () => {
  const SINK: AuditSink = { to: 'pubsub:projects/acme-prod/topics/audit' };
  const TAKEN: Answer = status(200, '{"messageIds": ["11223344"]}');

  beforeEach(async () => {
    await writeFile(join(folder, 'subject'), 'the-workloads-own-token');
    // Of a workload that shows its own token to Google, as pods and other clouds do.
    const credentials = {
      type: 'external_account',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: `${tokens.url}/token`,
      credential_source: { file: join(folder, 'subject') },
    };
    await writeFile(join(folder, 'credentials.json'), JSON.stringify(credentials));
    process.env['GOOGLE_APPLICATION_CREDENTIALS'] = join(folder, 'credentials.json');
    const token = { access_token: 'token-1', issued_token_type: 'any', token_type: 'Bearer', expires_in: 3_600 };
    tokens.always(status(200, JSON.stringify(token), { 'content-type': 'application/json' }));
    cloud.always(TAKEN);
  });

  test('gets an event with what subscriptions filter and order by, and the identity of the workload', async () => {
    await record(SINK);

    const { method, path, headers, body } = cloud.first();
    const { messages } = JSON.parse(body) as { messages: { data: string }[] }; // As we send it.
    expect([method, path, headers.authorization]).toEqual([
      'POST',
      '/v1/projects/acme-prod/topics/audit:publish',
      'Bearer token-1',
    ]);
    expect(messages).toEqual([
      {
        data: expect.any(String),
        attributes: { id: EVENT.id, state: 'RUNNING', repository: 'acme/infra', rootName: 'network', trigger: 'merge' },
        orderingKey: 'acme/infra||network',
      },
    ]);
    expect(JSON.parse(Buffer.from(messages[0]?.data ?? '', 'base64').toString())).toEqual(EVENT);
    expect(new URLSearchParams(tokens.received()[0]?.body).get('scope')).toBe('https://www.googleapis.com/auth/pubsub');
  });

  test.each([
    ['is broken', status(500), 'status 500', 2],
    ['knows no such topic', status(404), 'status 404', 1],
    ['never answers', silence, 'TimeoutError', 2],
    ['says 200 as a login page does', status(200, '<html>Log in</html>'), 'status 200 without the id of a message', 1],
    ['says 200 and names no message', status(200, '{"messageIds": []}'), 'status 200 without the id of a message', 1],
    ['talks without end', endless, 'status 200 without the id of a message', 1],
  ])('that %s has not recorded the event', async (_what, answer, reason, requests) => {
    cloud.always(answer);
    timeoutsWithoutStalls();

    await expect(record(SINK, answer)).rejects.toThrow(
      `cannot record the audit event ${EVENT.id} in pubsub:projects/acme-prod/topics/audit: ${reason}; record it again`,
    );
    expect(cloud.received()).toHaveLength(requests);
  });

  test.each([
    ['refuses', status(400, '{"error":"invalid_grant"}'), 'CredentialsRejected'],
    ['never answers', silence, 'TimeoutError'],
  ])('gets nothing while the service of tokens %s, and no error shows a secret', async (_what, answer, reason) => {
    tokens.always(answer);

    const error: unknown = await record(SINK, answer).catch((failure: unknown) => failure);

    expect(error).toMatchObject({ code: 'AUDIT_UNAVAILABLE', message: expect.stringContaining(reason) });
    expect(inspect(error, { depth: 20 })).not.toContain('the-workloads-own-token');
    expect(cloud.received()).toEqual([]);
  });

  test('is asked whether we may publish, which records nothing', async () => {
    cloud.always(status(200, '{"permissions": ["pubsub.topics.publish"]}'));
    expect(await probeAudit(SINK, options())).toMatchObject({ kind: 'usable' });

    cloud.always(status(200, '{}'));
    expect(await probeAudit(SINK, options())).toMatchObject({
      kind: 'unusable',
      sentence: expect.stringContaining('create it, or grant roles/pubsub.publisher to the identity of this process'),
      mayPass: false,
    });

    cloud.always(status(503));
    expect(await probeAudit(SINK, options())).toMatchObject({ kind: 'unusable', mayPass: true });
    expect(new Set(cloud.received().map(({ path }) => path))).toEqual(
      new Set(['/v1/projects/acme-prod/topics/audit:testIamPermissions']),
    );
  });
});

describe('Azure Event Grid', () => {
  const sink = () => ({ to: `eventgrid:${cloud.url}/api/events`, secretFile: join(folder, 'key') });

  beforeEach(() => writeFile(join(folder, 'key'), 'the-first-key\n'));

  test('gets an event as a CloudEvent, with the key of the file as it is at that time', async () => {
    const { audit } = await openAudit(sink(), options());
    await audit.record(EVENT);
    await writeFile(join(folder, 'key'), 'the-second-key');
    await audit.record(aDrain('request-1:REVIEWED'));

    const [one, two] = cloud.received();
    expect([one?.method, one?.path]).toEqual(['POST', '/api/events?api-version=2018-01-01']);
    expect([one, two].map((each) => each?.headers['aeg-sas-key'])).toEqual(['the-first-key', 'the-second-key']);
    expect(one?.headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
    expect([one, two].map((each) => JSON.parse(each?.body ?? '') as unknown)).toEqual([
      {
        specversion: '1.0',
        id: 'job-1:RUNNING',
        source: '/nereid/audit',
        type: 'nereid.audit.running',
        subject: 'acme/infra||network',
        datacontenttype: 'application/json',
        data: EVENT,
      },
      expect.objectContaining({ id: 'request-1:REVIEWED', type: 'nereid.audit.reviewed', subject: 'host/h1' }),
    ]);
  });

  test.each([
    ['is broken', status(503), 'status 503', 2],
    ['knows another key', status(401), 'status 401', 1],
    ['never answers', silence, 'TimeoutError', 2],
  ])('that %s has not recorded the event, and no error shows the key', async (_what, answer, reason, requests) => {
    cloud.always(answer);
    timeoutsWithoutStalls();

    const error: unknown = await record(sink(), answer).catch((failure: unknown) => failure);

    expect(error).toMatchObject({
      message: `cannot record the audit event ${EVENT.id} in eventgrid:${new URL(cloud.url).host}: ${reason}; record it again`,
    });
    expect(inspect(error, { depth: 20 })).not.toContain('the-first-key');
    expect(cloud.received()).toHaveLength(requests);
  });

  test('is sent nothing with a file that holds more than one key', async () => {
    await writeFile(join(folder, 'key'), 'one\ntwo\n');

    await expect(record(sink())).rejects.toThrow('expected one access key on one line of');
    expect(await probeAudit(sink())).toMatchObject({ kind: 'unusable', mayPass: false });
    expect(cloud.received()).toEqual([]);
  });
});
