import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  DefaultLogger,
  type Logger,
  type WorkflowBundleOption,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';

/** The built bundle, or one made from the sources now, which takes seconds. */
export async function workflowBundle(path: string | undefined, logger: Logger): Promise<WorkflowBundleOption> {
  return path === undefined ? bundleWorkflows(logger) : { codePath: path };
}

/** Bundles all workflows into one script. The bundler's reports about packed files are left out; failures are logged. */
export function bundleWorkflows(logger: Logger): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    workflowsPath: fileURLToPath(import.meta.resolve('@nereid/workflows')),
    workflowInterceptorModules: [fileURLToPath(import.meta.resolve('@nereid/workflows/interceptors'))],
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      logger.log(level, message, meta);
    }),
  });
}
