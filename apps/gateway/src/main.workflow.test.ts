import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { gatewayEnvironment, startGatewayProcess } from './process.fixture.ts';

let environment: WorkflowEnvironment;
const folder = folderOfThisFile();

beforeAll(async () => {
  environment = await createWorkflowEnvironment();
});

afterAll(() => environment.close());

test('a gateway whose Temporal is not set up says what to do, listens nowhere, and exits 2', async () => {
  const file = join(folder, 'nereid.server.yaml');
  writeFileSync(
    file,
    'repositories: [{ match: acme/* }]\nstorage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }\n',
  );

  const gateway = startGatewayProcess({
    ...gatewayEnvironment(file),
    TEMPORAL_ADDRESS: environment.address,
    TEMPORAL_NAMESPACE: 'nowhere',
  });

  expect(await gateway.ended()).toEqual({
    code: 2,
    stderr: `the configuration must be fixed:
  TEMPORAL_NAMESPACE: expected the namespace nowhere at ${environment.address}, found: Namespace nowhere is not found.; make it with: nereid temporal setup
`,
  });
});
