import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkflowBundleOption, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

/** The built bundle, or one that is made of the sources now, which takes seconds. */
export async function workflowBundle(path: string | undefined): Promise<WorkflowBundleOption> {
  return path === undefined ? bundleWorkflows() : { codePath: path };
}

/** All workflows as one script. */
export function bundleWorkflows(): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({ workflowsPath: fileURLToPath(import.meta.resolve('@nereid/workflows')) });
}
