import { afterAll, beforeAll } from '@jest/globals';
import {
  createWorkflowEnvironment,
  type EnvironmentOptions,
  type WorkflowEnvironment,
} from '../temporal/workflow-environment.ts';

/** Opened before the tests of the file, and closed after them. */
export function environmentOfThisFile(options?: EnvironmentOptions): WorkflowEnvironment {
  const environment = {} as WorkflowEnvironment; // Tests find it open.
  beforeAll(async () => {
    Object.assign(environment, await createWorkflowEnvironment(options));
  });
  afterAll(() => environment.close());
  return environment;
}
