import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  DefaultLogger,
  type Logger,
  type WorkflowBundleOption,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';

/** The built bundle, or one that is made of the sources now, which takes seconds. */
export async function workflowBundle(path: string | undefined, logger: Logger): Promise<WorkflowBundleOption> {
  return path === undefined ? bundleWorkflows(logger) : { codePath: path };
}

/** All workflows as one script. The bundler's reports of what it packed are left out; what fails is logged. */
export function bundleWorkflows(logger: Logger): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    workflowsPath: fileURLToPath(import.meta.resolve('@nereid/workflows')),
    workflowInterceptorModules: [fileURLToPath(import.meta.resolve('@nereid/workflows/interceptors'))],
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      logger.log(level, message, meta);
    }),
  });
}
