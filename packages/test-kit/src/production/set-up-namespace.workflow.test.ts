import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SEARCH_ATTRIBUTE } from '@nereid/contracts';
import { runCommand } from '@nereid/subprocess';
import { Connection } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { serverOfThisRun } from '../temporal/test-run.ts';
import { REPOSITORY } from './repository.ts';

/** It takes two seconds; only what hangs takes minutes. */
const HANGS_AFTER_MS = 120_000;

let connection: Connection;

beforeAll(async () => {
  connection = await Connection.connect({ address: serverOfThisRun() });
});

afterAll(async () => {
  await connection.close();
});

test('a namespace is set up with its search attributes and a retention of 30 days, and again without an error', async () => {
  const namespace = `set-up-${randomUUID()}`;

  const first = await setUp(namespace);
  const second = await setUp(namespace);

  expect([first, second]).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 24 * 60 * 60);
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  expect(Object.keys(customAttributes)).toEqual(expect.arrayContaining(Object.values(SEARCH_ATTRIBUTE)));
});

function setUp(namespace: string) {
  const env = { TEMPORAL_ADDRESS: serverOfThisRun(), TEMPORAL_NAMESPACE: namespace };
  return runCommand({ argv: [process.execPath, 'temporal/main.ts'], env, cwd: REPOSITORY, timeoutMs: HANGS_AFTER_MS });
}
