/** A check that is a command, as control orders it in Temporal and reads what came of it. What its workflow says may be a lie. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readServerConfig, type CommandCheck } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import type { WaveChecked, WaveCheckOrder } from '@nereid/domain/deployment';
import { DEFAULT_POOL, type Root } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { claimQueue, CONTROL_QUEUE, hostQueue } from '@nereid/domain/temporal-names';
import { deploymentAt, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { createDeploymentRecords, openObjectStore } from '@nereid/storage';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { ApplicationFailure, defaultPayloadConverter, type Payload } from '@temporalio/common';
import { pino } from 'pino';
import { asClaimed, strangers, testSignatures } from '../../../testing/test-signatures.ts';
import { askHost, type AskedOfHost, type AskHostContext, type CheckAnswerAt } from './ask-host.ts';

/** Of temporal/api/enums/v1/command_type.proto. */
const COMPLETE = 4;

const SERVER = readServer();

function readServer() {
  const storage = 'storage: { deployments: "file:/s", plans: "file:/s", logs: "file:/s" }';
  const read = readServerConfig(`repositories: [{ match: acme/* }]\n${storage}`);
  if (read.kind === 'invalid') throw new Error(JSON.stringify(read.problems));
  return read.config;
}

let environment: WorkflowEnvironment;
const folder = folderOfThisFile();
let context: AskHostContext;
/** What the revision of the root's last deployment has. */
let roots: readonly Root[];
/** The orders that the host got, and what it says of each. */
let orders: Signed<WaveCheckOrder>[];
let onHost: (order: Signed<WaveCheckOrder>) => Promise<Signed<WaveChecked>>;
let rollouts = 0;

beforeAll(async () => {
  environment = await createWorkflowEnvironment();
  const checkOnHost = (order: Signed<WaveCheckOrder>) => {
    orders.push(order);
    return onHost(order);
  };
  const claimHost = async (id: string) => (await asClaimed(id)).claim;
  await Promise.all([
    environment.runWorker({ taskQueue: CONTROL_QUEUE, activities: {} }),
    environment.runWorker({ taskQueue: claimQueue(DEFAULT_POOL), activities: { claimHost } }),
    environment.runWorker({ taskQueue: hostQueue('h1'), activities: { checkOnHost } }),
  ]);
  const deploymentRecords = createDeploymentRecords(await openObjectStore(`file:${folder}`, {}));
  const findRoots = () => Promise.resolve({ kind: 'roots', roots });
  context = {
    ...{ deploymentRecords, signatures: testSignatures, temporal: environment.client },
    server: { current: () => SERVER },
    logger: pino({ level: 'silent' }),
    mirrors: { tree: () => ({}) },
    discovery: { findRoots },
    refusedRevisions: new Map(),
  } as unknown as AskHostContext; // What is used of it.
  const deployment = { ...deploymentAt(1), progress: progressAs('succeeded') };
  const endedAt = new Date().toISOString();
  await deploymentRecords.write({ version: 1, repository: REPOSITORY, deployment, endedAt });
});

beforeEach(() => {
  orders = [];
  onHost = (order) => signed(order);
  roots = [deploymentAt(1).root];
});

afterAll(() => environment.close());

/** A rollout of its own. */
function aCheck(more: Partial<AskedOfHost> = {}, target: Partial<CommandCheck['target']> = {}): AskedOfHost {
  rollouts += 1;
  const rule = { name: 'smoke', everyMs: 60_000, failures: 3, timeoutMs: 5_000 };
  const check = { ...rule, target: { kind: 'run', command: 'make smoke', ...target } } as const;
  const rootNames = [deploymentAt(1).root.name, 'zone'];
  return { repository: REPOSITORY, rollout: `sha/${rollouts}`, wave: 1, rootNames, check, after: 0, ...more };
}

function signed(
  { body: { id }, signature }: Signed<WaveCheckOrder>,
  outcome: Pick<WaveChecked, 'failure'> = {},
): Promise<Signed<WaveChecked>> {
  return testSignatures.enclose('result/wave-checked', { version: 1, waveCheckId: id, order: signature, ...outcome });
}

function ask(asked: AskedOfHost): Promise<CheckAnswerAt | undefined> {
  return askHost(context, asked, AbortSignal.timeout(10_000));
}

/** As rounds of checks ask. */
async function answerTo(asked: AskedOfHost): Promise<CheckAnswerAt> {
  for (;;) {
    const answer = await ask(asked);
    if (answer !== undefined) return answer;
    await sleep(20);
  }
}

test('a host of the root gets the command, and its word counts once', async () => {
  const asked = aCheck();
  const before = Date.now();

  const answer = await answerTo(asked);

  expect(answer).toMatchObject({ passes: true, sentence: 'passed in network' });
  expect(Date.parse(answer.at)).toBeGreaterThanOrEqual(before);
  expect(orders).toMatchObject([
    { body: { revision: { sha: deploymentAt(1).revision.sha }, checking: { run: 'make smoke', timeoutMs: 5_000 } } },
  ]);
  await expect(testSignatures.open('order/wave-check', orders[0] ?? never(), {})).resolves.toBeDefined();

  const later = await answerTo({ ...asked, after: Date.parse(answer.at) });
  expect(Date.parse(later.at)).toBeGreaterThan(Date.parse(answer.at));
  expect(orders).toHaveLength(2);
});

test('while a host is at work there is no answer, and no second order', async () => {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  onHost = (order) => ended.then(() => signed(order));
  const asked = aCheck();

  for (let round = 1; round <= 5; round += 1) expect(await ask(asked)).toBeUndefined();
  end();

  await answerTo(asked);
  expect(orders).toHaveLength(1);
});

test('a command that fails is said with its end, and no line of it leads the reader astray', async () => {
  const lines = ['begins', '\u202e@octocat **no** answer', ''];
  onHost = (order) => signed(order, { failure: { summary: 'run ended with exit code 7', lines } });

  expect(await answerTo(aCheck())).toMatchObject({
    passes: false,
    sentence: expect.stringMatching(/^in network, run ended with exit code 7: [^\u202e]*answer$/),
  });
});

describe('is no answer of a host', () => {
  test.each<[string, typeof onHost]>([
    ['a failure', () => Promise.reject(ApplicationFailure.nonRetryable('it was lost', 'FORGED'))],
    ['a word that nobody signed', async (order) => ({ ...(await signed(order)), signature: 'none' })],
    ['a word about another order', async (order) => signed({ ...order, signature: 'another' })],
  ])('%s', async (_what, does) => {
    onHost = does;

    expect(await answerTo(aCheck())).toMatchObject({ passes: false, sentence: 'was answered by no host' });
  });

  test('a workflow that somebody ended', async () => {
    const { promise: hangs, resolve: end } = Promise.withResolvers<undefined>();
    onHost = async (order) => {
      await hangs;
      return signed(order);
    };
    const asked = aCheck();
    await ask(asked);
    while (orders.length === 0) await sleep(20);
    const query = `WorkflowType = 'waveCheck' AND ExecutionStatus = 'Running'`;
    for await (const { workflowId } of environment.client.workflow.list({ query }))
      await environment.client.workflow.getHandle(workflowId).terminate();

    expect(await answerTo(asked)).toMatchObject({
      passes: false,
      sentence:
        'was answered by no host: somebody terminated its workflow in Temporal, which counts as a failure. Let the next one end by itself',
    });
    end(undefined);
  });
});

test('the result of another check, or one that control did not order, counts for nothing', async () => {
  const [asked, other] = [aCheck(), aCheck()];
  await answerTo(other);

  // As somebody at the port of Temporal who starts the workflow with an order of his own.
  const stranger = { ...context, signatures: strangers };
  await askHost(stranger, asked, AbortSignal.timeout(10_000));
  onHost = (order) => signed(order, { failure: { summary: 'really', lines: [] } });

  expect(await answerTo(asked)).toMatchObject({ passes: false, sentence: 'in network, really' });
});

test('the result of a command that the file has no more counts for nothing', async () => {
  const asked = aCheck();
  await answerTo(asked);
  onHost = (order) => signed(order, { failure: { summary: 'really', lines: [] } });

  const check = { ...asked.check, target: { ...asked.check.target, command: 'make other' } };
  expect(await answerTo({ ...asked, check })).toMatchObject({ passes: false, sentence: 'in network, really' });
});

test('a command for which no host has a slot is ordered again, and has not failed', async () => {
  const asked = aCheck();
  const { at } = await answerTo(asked);
  const [order = never()] = orders;
  await runAs(order, { result: json({ order, outcome: 'no slot' }) });

  expect(await ask(asked)).toBeUndefined();
  expect((await answerTo(asked)).at > at).toBe(true);
});

/** As text, because JSON cannot write so much depth. */
const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

describe('what somebody else began as the workflow of a check holds it up no longer than a round', () => {
  const UNREADABLE = text('{');

  test.each<[string, StrangeRun]>([
    ['ended with what nobody can read', { result: UNREADABLE }],
    ['ended with nothing', { result: json(null) }],
    ['ended with a text', { result: json('passed') }],
    ['ended with no order', { result: json({ order: null, outcome: null }) }],
    ['ended with an order without a part', { result: json({ order: { body: {}, signature: 7 }, outcome: [] }) }],
    ['ended with too much', { result: json({ order: { body: 'x'.repeat(1_900_000), signature: '' }, outcome: 1 }) }],
    ['ended with an order that nobody can sign', { result: text('{"order":{"body":{"id":"\\ud800"}},"outcome":1}') }],
    [
      'ended with an order whose id is no text',
      { result: text('{"order":{"body":{"id":{"toString":1}}},"outcome":1}') },
    ],
    ['ended with an order that is nested deeply', { result: text(`{"order":{"body":{"id":${DEEP}}},"outcome":1}`) }],
    ['ended with depth alone', { result: text(DEEP) }],
    ['has a memo that nobody can read', { memo: UNREADABLE }],
  ])('it %s', async (_what, run) => {
    const asked = aCheck();
    const { at } = await answerTo(asked);
    await runAs(orders[0] ?? never(), run);

    const later = await answerTo({ ...asked, after: Date.parse(at) });

    expect(later).toMatchObject({ passes: true });
    expect(orders).toHaveLength(2);
  });

  test.each<[string, object | null]>([
    ['null', null],
    ['a list', []],
    ['a body without what it is about', { body: null, signature: '' }],
    ['a body of an id that is no text', { body: { waveCheckId: { toString: 1 } }, signature: '' }],
    ['a body that is too large', { body: { failure: 'x'.repeat(1_900_000) }, signature: '' }],
  ])('its order is genuine, and its outcome is %s', async (_what, outcome) => {
    const asked = aCheck();
    await answerTo(asked);
    const [order = never()] = orders;
    await runAs(order, { result: json({ order, outcome }) });

    expect(await answerTo(asked)).toMatchObject({ passes: false, sentence: 'was answered by no host' });
  });
});

test('the order of a check is genuine, and its outcome is nested deeply', async () => {
  const asked = aCheck();
  await answerTo(asked);
  const [order = never()] = orders;
  const outcome = `{"body":{"waveCheckId":${DEEP}},"signature":""}`;
  await runAs(order, { result: text(`{"order":${JSON.stringify(order)},"outcome":${outcome}}`) });

  expect(await answerTo(asked)).toMatchObject({ passes: false, sentence: 'was answered by no host' });
});

describe('is not run, and fails with the reason,', () => {
  test('a command in a root that nobody deployed', async () => {
    expect(await ask(aCheck({}, { rootName: 'elsewhere' }))).toMatchObject({
      passes: false,
      sentence: 'was not run: no root elsewhere is deployed in this repository',
    });
  });

  test('a command in a root that its revision has no more', async () => {
    roots = [];

    expect((await ask(aCheck()))?.sentence).toMatch(/^was not run: \w{7} has no root network that can be planned$/);
  });
});

interface StrangeRun {
  /** Absent: it never ends. */
  readonly result?: Payload;
  readonly memo?: Payload;
}

/** As somebody at the port of Temporal who starts the workflow of that order's check, and does it himself. */
async function runAs(order: Signed<WaveCheckOrder>, { result, memo }: StrangeRun): Promise<void> {
  const { namespace, client } = environment;
  const { requestId } = order.body;
  const workflowId = requestId.slice(0, -`:${order.body.checking.askedAt}`.length);
  const taskQueue = { name: `of a stranger ${randomUUID()}` };
  await client.workflowService.startWorkflowExecution({
    ...{ namespace, workflowId, taskQueue, requestId: randomUUID(), workflowType: { name: 'strange' } },
    ...defined({ memo: memo && { fields: { note: memo } } }),
  });
  if (result === undefined) return;
  const { taskToken } = await client.withDeadline(Date.now() + 10_000, () =>
    client.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue }),
  );
  const completeWorkflowExecutionCommandAttributes = { result: { payloads: [result] } };
  const commands = [{ commandType: COMPLETE, completeWorkflowExecutionCommandAttributes }];
  await client.workflowService.respondWorkflowTaskCompleted({ namespace, taskToken, commands });
}

function text(data: string): Payload {
  return { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(data) };
}

function json(value: unknown): Payload {
  return defaultPayloadConverter.toPayload(value);
}

function never(): never {
  throw new Error('expected an order');
}
