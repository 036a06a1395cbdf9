/** Workers and clients with a key of payloads, and without one, at the same Temporal. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { AccessAnswer } from '@nereid/domain/person';
import type { Signed } from '@nereid/domain/signed';
import { CONTROL_QUEUE, PAYLOAD_KEY_MISSING, WORKFLOW } from '@nereid/domain/temporal-names';
import { createTemporalClient, readTemporalConfig, type TemporalConfig } from '@nereid/process';
import { textOf } from '@nereid/test-kit';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { ApplicationFailure, rootCause } from '@temporalio/common';
import { WorkflowFailedError, type Client, type WorkflowHandle } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { decodeFirst } from '@nereid/process';
import { failureMessage } from '@nereid/process';
import { createSdkLogger } from './sdk-logger.ts';
import { workflowBundle } from './workflow-bundle.ts';

const logger = createSdkLogger(pino({ level: 'silent' }));
const ANSWER: Signed<AccessAnswer> = {
  body: {
    ...{ version: 1, login: 'ada-lovelace', repositories: [], nonce: 'n' },
    ...{ mayRead: [true], at: '2026-01-31T14:00:00.000Z', ageMs: 0 },
  },
  signature: 'a-signature',
};
/** Of what the workflow is asked, of its answer, and of how it fails. */
const CONTENT = /ada-lovelace|secret-repository|a-signature|nobody knows her/;

// What it replays, it reads without a key.
const environment = environmentOfThisFile({ isReplayed: false, showsErrors: false });
let sealing: TemporalConfig;
let keyless: TemporalConfig;

beforeAll(() => {
  const key = randomBytes(32).toString('base64');
  [sealing, keyless] = [configOf({ PAYLOAD_KEY: key }), configOf({})];
});

test('what goes through Temporal is sealed, and read with the key', async () => {
  const { client, handle } = await asked(sealing);

  await (await aWorker(sealing)).runUntil(handle.result());

  const { text, events } = await historyOf(handle);
  expect(await handle.result()).toEqual(ANSWER);
  expect(text).not.toMatch(CONTENT);
  const input = events[0]?.workflowExecutionStartedEventAttributes?.input;
  expect(await decodeFirst(client.workflow.options, input)).toMatchObject({ about: { login: 'ada-lovelace' } });
});

test('failures are sealed too, those of activities and those that workflows make', async () => {
  const failing = () => Promise.reject(ApplicationFailure.nonRetryable('nobody knows her', 'UNKNOWN', 'ada-lovelace'));
  const [of, by] = [(await asked(sealing)).handle, (await asked(sealing, 'secret-repository')).handle];

  await (await aWorker(sealing, { answer: failing })).runUntil(Promise.allSettled([of.result(), by.result()]));

  expect(await whyFailed(of)).toBe('nobody knows her');
  expect(await whyFailed(by)).toMatch(/of version secret-repository; upgrade/);
  for (const handle of [of, by]) {
    const { text } = await historyOf(handle);
    expect(text).not.toMatch(CONTENT);
    expect(text).toMatch(/UNKNOWN/);
  }
  const { events } = await historyOf(by);
  const { failure } = events.at(-1)?.workflowExecutionFailedEventAttributes ?? {};
  const read = (config: TemporalConfig) => failure && failureMessage(clientOf(config).workflow.options, failure);
  expect(await read(sealing)).toMatch(/of version secret-repository; upgrade/);
  expect(await read(keyless)).toMatch(/found no PAYLOAD_KEY/);
});

test('a workflow that began in the clear goes on, sealed', async () => {
  const { handle: begun } = await asked(keyless);
  const handle = clientOf(sealing).workflow.getHandle(begun.workflowId);

  await (await aWorker(sealing)).runUntil(handle.result());

  const { events } = await historyOf(handle);
  const completed = events.find(({ workflowExecutionCompletedEventAttributes: end }) => end);
  expect(textOf(events[0])).toMatch(CONTENT);
  expect(textOf(completed)).not.toMatch(CONTENT);
});

test('a worker without the key fails its tasks with a sentence, and one with it goes on', async () => {
  const { handle } = await asked(sealing);

  await (await aWorker(keyless)).runUntil(untilSaid(handle, /found no PAYLOAD_KEY; give this process the PAYLOAD_KEY/));
  await (await aWorker(sealing)).runUntil(handle.result());

  expect(await handle.result()).toEqual(ANSWER);
});

test('an activity that its worker cannot read has not begun, and another worker begins it', async () => {
  const { handle } = await asked(sealing);
  const begun: string[] = [];
  const answer = () => Promise.resolve(begun.push('begun')).then(() => ANSWER);

  // The connection of a worker has one worker for a queue.
  const other = await NativeConnection.connect({ address: environment.address });
  const workflows = await aWorker(sealing, {}, other);
  const result: unknown = await workflows.runUntil(async (): Promise<unknown> => {
    await (await aHost(keyless, { answer })).runUntil(untilFailing(handle, PAYLOAD_KEY_MISSING));
    expect(begun).toEqual([]);
    return (await aHost(sealing, { answer })).runUntil(handle.result());
  });
  await other.close();

  expect(result).toEqual(ANSWER);
});

type Activities = Readonly<Record<string, () => Promise<unknown>>>;

async function aWorker(
  { dataConverter, payloadKeys }: TemporalConfig,
  activities: Activities = { answer: () => Promise.resolve(ANSWER) },
  connection = environment.nativeConnection,
): Promise<Worker> {
  const options = { path: environment.bundle, sealsFailures: payloadKeys.seals !== undefined };
  const { namespace } = environment;
  return Worker.create({
    ...{ connection, namespace, dataConverter, activities, taskQueue: CONTROL_QUEUE },
    workflowBundle: await workflowBundle(options, logger),
  });
}

/** For activities alone. */
function aHost({ dataConverter }: TemporalConfig, activities: Activities): Promise<Worker> {
  const { namespace, nativeConnection: connection } = environment;
  return Worker.create({ connection, namespace, dataConverter, activities, taskQueue: CONTROL_QUEUE });
}

/** A workflow of another version fails by itself, and says what it found. */
async function asked(
  config: TemporalConfig,
  version: unknown = 1,
): Promise<{ client: Client; handle: WorkflowHandle }> {
  const client = clientOf(config);
  const repositories = [{ owner: 'acme', name: 'secret-repository' }];
  const handle = await client.workflow.start(WORKFLOW.ask, {
    workflowId: randomUUID(),
    taskQueue: CONTROL_QUEUE,
    // A task that a worker takes while it stops is given to another one after that time.
    workflowTaskTimeout: '2s',
    args: [{ kind: 'askAccess', about: { version, login: 'ada-lovelace', repositories, nonce: 'n' } }],
  });
  return { client, handle };
}

function clientOf(config: TemporalConfig): Client {
  return createTemporalClient(config, { connection: environment.client.connection });
}

/** Of a workflow that failed. */
async function whyFailed(handle: WorkflowHandle): Promise<string | undefined> {
  const reason: unknown = await handle.result().catch((error: unknown) => error);
  return rootCause(reason instanceof WorkflowFailedError ? reason.cause : reason);
}

function configOf(record: Readonly<Record<string, string>>): TemporalConfig {
  const { address, namespace } = environment;
  const read = readTemporalConfig({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, ...record });
  if (read.kind === 'invalid') throw new Error(read.problems[0]?.message);
  return read.config;
}

async function historyOf(handle: WorkflowHandle) {
  const { events } = await handle.fetchHistory();
  return { text: textOf(events), events: events ?? [] };
}

/** What hangs ends with the test's limit. */
async function untilSaid(handle: WorkflowHandle, sentence: RegExp): Promise<void> {
  while (!sentence.test((await historyOf(handle)).text)) await pause(50);
}

async function untilFailing(handle: WorkflowHandle, type: string): Promise<void> {
  const lastType = async () =>
    (await handle.describe()).raw.pendingActivities?.[0]?.lastFailure?.applicationFailureInfo?.type;
  while ((await lastType()) !== type) await pause(50);
}
