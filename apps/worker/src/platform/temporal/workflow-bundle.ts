import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { SEALS_FAILURES } from '@nereid/domain/temporal-names';
import {
  bundleWorkflowCode,
  DefaultLogger,
  type Logger,
  type WorkflowBundleOption,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';

export interface BundleOptions {
  /** Of a built bundle; undefined for that of the image, or else for one from the sources, which takes seconds. */
  readonly path: string | undefined;
  /** Whether messages and stacks of the workflows' failures are to become payloads, which the worker seals. */
  readonly sealsFailures: boolean;
}

/** Where an image has its bundle: beside the code. */
const OF_IMAGE = fileURLToPath(new URL('../../../../../dist/workflows.js', import.meta.url));

/** One bundle serves both ways: its converter of failures looks for a global, which is set on its first line here. */
export async function workflowBundle(
  { path = ofImage(), sealsFailures }: BundleOptions,
  logger: Logger,
): Promise<WorkflowBundleOption> {
  if (path !== undefined && !sealsFailures) return { codePath: path };
  const code = path === undefined ? (await bundleWorkflows(logger)).code : await readFile(path, 'utf8');
  return { code: sealsFailures ? `globalThis.${SEALS_FAILURES}=true;${code}` : code };
}

function ofImage(): string | undefined {
  return existsSync(OF_IMAGE) ? OF_IMAGE : undefined;
}

/** Bundles all workflows into one script. The bundler's reports about packed files are left out; failures are logged. */
export function bundleWorkflows(logger: Logger): Promise<WorkflowBundleWithSourceMap> {
  // Not when this file is loaded: an image has a bundle, and not its sources.
  const workflowsPath = fileURLToPath(import.meta.resolve('@nereid/workflows'));
  return bundleWorkflowCode({
    workflowsPath,
    // All workflows of a worker share one evaluation of their modules, which keep no state: else each takes 200 KB more.
    preloadModules: [workflowsPath],
    workflowInterceptorModules: [fileURLToPath(import.meta.resolve('@nereid/workflows/interceptors'))],
    failureConverterPath: fileURLToPath(import.meta.resolve('@nereid/workflows/failure-converter')),
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      logger.log(level, message, meta);
    }),
  });
}
