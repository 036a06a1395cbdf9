import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SEARCH_ATTRIBUTE } from '@nereid/domain/temporal-names';
import { runCommand } from '@nereid/subprocess';
import { setUpTemporal } from '@nereid/temporal/set-up';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../background/free-port.ts';
import { startRefusingTemporal } from '../temporal/refusing-temporal.ts';
import { serverOfThisRun } from '../temporal/test-run.ts';
import { createTestAuthority } from '../tls/certificates.ts';
import { startTlsFront } from '../tls/tls-front.ts';
import { REPOSITORY } from '../repository.ts';

/** It takes two seconds; only what hangs takes minutes. */
const HANGS_AFTER_MS = 120_000;

const ATTRIBUTES = Object.values(SEARCH_ATTRIBUTE);

let connection: Connection;

beforeAll(async () => {
  connection = await Connection.connect({ address: serverOfThisRun() });
});

afterAll(async () => {
  await connection.close();
});

describe('a Temporal is set up', () => {
  test('with a namespace, its search attributes and a retention of 30 days, and says so', async () => {
    const namespace = `set-up-${randomUUID()}`;
    const env = { TEMPORAL_ADDRESS: serverOfThisRun(), TEMPORAL_NAMESPACE: namespace };

    const done = await runCommand({
      argv: [process.execPath, 'temporal/main.ts'],
      env,
      cwd: REPOSITORY,
      timeoutMs: HANGS_AFTER_MS,
    });

    expect(done).toMatchObject({ exitCode: 0 });
    expect(done.stdout).toBe(
      [
        `namespace ${namespace}: made`,
        'retention: 30 days, left as it was',
        `search attributes ${ATTRIBUTES.join(', ')}: made`,
        `The namespace ${namespace} is ready.`,
        '',
      ].join('\n'),
    );
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 24 * 60 * 60);
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    expect(Object.keys(customAttributes)).toEqual(expect.arrayContaining(ATTRIBUTES));
  });

  test('so that the first workflow can have its search attributes at once, change them, and be found by them', async () => {
    const namespace = `first-${randomUUID()}`;
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs('1 day'),
    });
    // All parts of Temporal have read the namespace without attributes by then.
    await runOnce(namespace, 'before', {});

    await setUp({ namespace });
    await runOnce(namespace, 'first', Object.fromEntries(ATTRIBUTES.map((name) => [name, 'new'])));

    await found(namespace, ATTRIBUTES.map((name) => `${name} = 'new'`).join(' AND '));
  });

  test('again, as far as something is missing', async () => {
    const namespace = `again-${randomUUID()}`;
    await setUp({ namespace });
    await connection.workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl: msToTs('7 days') },
    });

    const [second, third] = [await setUp({ namespace }), await setUp({ namespace })];

    expect(second).toMatchObject({ exitCode: 0, said: expect.arrayContaining(['retention: set to 30 days, from 7']) });
    expect(third).toMatchObject({
      exitCode: 0,
      said: [
        `namespace ${namespace}: left as it was`,
        'retention: 30 days, left as it was',
        `search attributes ${ATTRIBUTES.join(', ')}: left as they were`,
        `The namespace ${namespace} is ready.`,
      ],
    });
  });
});

describe('a Temporal that cannot be set up gets a sentence', () => {
  test('if it is not there', async () => {
    const address = `127.0.0.1:${await freePort()}`;

    const { exitCode, said } = await setUp({ address, namespace: 'n' });

    expect(exitCode).toBe(1);
    expect(said.join('\n')).toMatch(
      /^expected to set up the namespace n at 127.*, found: .*ECONNREFUSED 127\.0\.0\.1:\d+; start Temporal, or correct TEMPORAL_ADDRESS$/,
    );
  });

  test('if it gives no permission', async () => {
    await using refusing = await startRefusingTemporal(7, 'Request unauthorized.');

    const { exitCode, said } = await setUp({ address: refusing.address, namespace: 'n' });

    expect(exitCode).toBe(1);
    expect(said).toEqual([
      `expected permission to set up the namespace n at ${refusing.address}, found: Request unauthorized.; use the credentials of an administrator. Temporal Cloud gives nobody this permission: make the namespace and the search attributes, of the type Keyword, in its own UI`,
    ]);
  });

  test('if we do not trust it', async () => {
    const authority = await createTestAuthority();
    await using front = await startTlsFront({ target: serverOfThisRun(), ...(await authority.issue()) });

    const env = { TEMPORAL_TLS: 'true' };
    const { exitCode, said } = await setUp({ address: `localhost:${front.port}`, namespace: 'n', env });

    expect(exitCode).toBe(1);
    expect(said.join('\n')).toMatch(/^expected a server whose certificate is of an authority that we trust/);
  });

  test('if an attribute has another type', async () => {
    const namespace = `typed-${randomUUID()}`;
    await setUp({ namespace });
    await connection.operatorService.removeSearchAttributes({ namespace, searchAttributes: [SEARCH_ATTRIBUTE.state] });
    const searchAttributes = { [SEARCH_ATTRIBUTE.state]: TEXT };
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });

    const { exitCode, said } = await setUp({ namespace });

    expect(exitCode).toBe(1);
    expect(said.at(-1)).toMatch(/^expected the search attribute NereidState of typed-.* to be a Keyword/);
  });

  test('if its settings are none', async () => {
    const { exitCode, said } = await setUp({ namespace: 'n', env: { TEMPORAL_PROFILE: 'absent' } });

    expect(exitCode).toBe(2);
    expect(said.join('\n')).toContain("Profile 'absent' not found");
  });
});

/** Of temporal/api/enums/v1/command_type.proto. */
const [COMPLETE, UPSERT] = [4, 13];

/**
 * Starts a workflow with these search attributes, and does its only task: changes them, and completes it. As for any worker, a task that
 * Temporal refuses comes again: its parts read namespaces every two seconds, each by itself.
 */
async function runOnce(namespace: string, workflowId: string, values: Readonly<Record<string, string>>) {
  const { workflowService } = connection;
  const taskQueue = { name: workflowId };
  const indexedFields = payloadsOf(values);
  await workflowService.startWorkflowExecution({
    ...{ namespace, workflowId, taskQueue, requestId: randomUUID(), workflowType: { name: 'once' } },
    searchAttributes: { indexedFields },
  });
  const upsertWorkflowSearchAttributesCommandAttributes = { searchAttributes: { indexedFields } };
  const change = { commandType: UPSERT, upsertWorkflowSearchAttributesCommandAttributes };
  const complete = { commandType: COMPLETE, completeWorkflowExecutionCommandAttributes: {} };
  const commands = Object.keys(values).length === 0 ? [complete] : [change, complete];
  for (;;) {
    const { taskToken } = await connection.withDeadline(Date.now() + HANGS_AFTER_MS, () =>
      workflowService.pollWorkflowTaskQueue({ namespace, taskQueue }),
    );
    try {
      await workflowService.respondWorkflowTaskCompleted({ namespace, taskToken, commands });
      return;
    } catch (error) {
      if (!(isGrpcServiceError(error) && error.details.includes('BadSearchAttributes'))) throw error;
    }
  }
}

function payloadsOf(values: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const payload = defaultPayloadConverter.toPayload(value);
      return [name, { ...payload, metadata: { ...payload.metadata, type: Buffer.from('Keyword') } }];
    }),
  );
}

/** Temporal writes what can be searched a moment later. */
async function found(namespace: string, query: string): Promise<void> {
  const deadline = performance.now() + HANGS_AFTER_MS;
  while (Number((await connection.workflowService.countWorkflowExecutions({ namespace, query })).count) === 0) {
    if (performance.now() > deadline) throw new Error(`expected a workflow with ${query}, found none`);
    await pause(100);
  }
}

/** `IndexedValueType.TEXT` of temporal/api/enums/v1/common.proto. */
const TEXT = 1;

interface SetUp {
  readonly namespace: string;
  readonly address?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Does not wait for a Temporal that is away. */
async function setUp({ namespace, address = serverOfThisRun(), env = {} }: SetUp) {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const isAway = address !== serverOfThisRun();
  const exitCode = await setUpTemporal(
    { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, ...env },
    { print: say, warn: say, ...(isAway && { patienceMs: 0 }) },
  );
  return { exitCode, said };
}
