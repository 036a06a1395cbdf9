import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

/** Bundles the workflows of an entry file once, so that each test's worker starts in milliseconds. Answers the code. */
export async function bundleWorkflows(workflowsPath: string): Promise<string> {
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
  return code;
}
