import type { SandboxFile } from '@nereid/subprocess';
import type { Environment } from '../../environment.ts';
import type { JobOptions } from '../job-options.ts';
import type { Job } from '../job.ts';
import type { StepResult } from '../step-result.ts';

/** Runs an init with the providers of this host's cache, and adds its downloads to the cache. Without one, it downloads all. */
export async function initWithProviders(
  { providers, signal }: JobOptions,
  job: Job,
  init: (env: Environment, files: readonly SandboxFile[]) => Promise<StepResult>,
): Promise<StepResult> {
  if (providers === undefined) return init(job.env(), []);
  const { cache, folder } = providers;
  const plugins = { rootDir: job.rootDir, folder, signal };
  const placed = await cache.fill(plugins);
  const files = [
    { path: folder, access: 'write' } as const,
    ...[...placed.values()].map((path) => ({ path, access: 'read' }) as const),
  ];
  const result = await init({ ...job.env(), TF_PLUGIN_CACHE_DIR: folder }, files);
  if (result.kind === 'succeeded') await cache.collect(plugins, placed);
  return result;
}
