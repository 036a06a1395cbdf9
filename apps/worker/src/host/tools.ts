/** What the activities of this host work with. */
import { createBinaryFinder, type FindBinary } from '@nereid/terraform';
import { join } from 'node:path';
import type { WorkerContext } from '../context.ts';

export interface HostTools {
  readonly context: WorkerContext;
  readonly findBinary: FindBinary;
  /** By deployment. What is forgotten in a restart is restored from the kept plan. */
  readonly memory: Map<string, Remembered>;
}

/** What this process remembers of a deployment whose tree it holds. */
export interface Remembered {
  readonly treeDir: string;
  /** Values of `env` steps: evaluated once, they belong to the deployment. May be secret. */
  readonly envValues: Readonly<Record<string, string>>;
}

export function createHostTools(context: WorkerContext): HostTools {
  const { downloads, mirror, version } = context.server.current().terraform;
  const findBinary = createBinaryFinder({
    path: context.environment['PATH'] ?? '',
    cacheDir: join(context.config.dataDir, 'terraform'),
    downloads: downloads ? { ...(mirror !== undefined && { mirrorUrl: mirror }) } : false,
    ...(version !== undefined && { defaultVersion: version }),
  });
  return { context, findBinary, memory: new Map() };
}
