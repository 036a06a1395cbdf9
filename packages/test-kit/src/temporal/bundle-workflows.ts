import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';

/** The same as in the bundle of the product's worker. */
const INTERCEPTORS = fileURLToPath(new URL('../../../../workflows/src/interceptors.ts', import.meta.url));
const FAILURE_CONVERTER = fileURLToPath(new URL('../../../../workflows/src/failure-converter.ts', import.meta.url));

/** Bundles the workflows of an entry file once, so that each test's worker starts in milliseconds. Returns the code. */
export async function bundleWorkflows(workflowsPath: string): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    preloadModules: [workflowsPath],
    workflowInterceptorModules: [INTERCEPTORS],
    failureConverterPath: FAILURE_CONVERTER,
    logger: new DefaultLogger('WARN'),
  });
  return code;
}
