import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SEARCH_ATTRIBUTE } from '@nereid/domain/temporal-names';
import { defineSearchAttributeKey } from '@temporalio/common';
import { createWorkflowEnvironment, type WorkflowEnvironment } from './workflow-environment.ts';

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');

let environment: WorkflowEnvironment;

beforeAll(async () => {
  environment = await createWorkflowEnvironment();
});

afterAll(async () => {
  await environment.close();
});

test('a namespace of its own takes workflows with our search attributes', async () => {
  const { client } = environment;

  const handle = await client.workflow.start('anything', {
    workflowId: 'acme/infra||network',
    taskQueue: 'deploy',
    typedSearchAttributes: [{ key: REPOSITORY, value: 'acme/infra' }],
  });

  expect((await handle.describe()).status.name).toBe('RUNNING');
});
