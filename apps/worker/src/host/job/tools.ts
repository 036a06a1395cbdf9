/** The tools of this host's activities. */
import { defined } from '@nereid/domain/defined';
import { join } from 'node:path';
import type { ServerConfig } from '@nereid/config';
import type { BegunApplies, JobLogs, KeptPlans, PlanDescription } from '@nereid/storage';
import type { MemoryGroups } from '@nereid/subprocess';
import { createBinaryFinder, createConftestFinder, type FindBinary, type FindConftest } from '@nereid/terraform';
import type { WorkerConfig } from '../../platform/config/config.ts';
import type { HostOnlyContext, WorkerContext } from '../../platform/context.ts';
import { openJobGroups } from './memory.ts';

/** The parts of the worker's context that a host needs. */
export interface HostContext extends Pick<
  WorkerContext,
  | 'logger'
  | 'discovery'
  | 'mirrors'
  | 'providers'
  | 'readTokens'
  | 'identityTokens'
  | 'signatures'
  | 'hostId'
  | 'environment'
> {
  /** These three are those of its own pool. */
  readonly begunApplies: BegunApplies;
  readonly keptPlans: KeptPlans;
  readonly jobLogs: JobLogs;
  readonly config: Pick<
    WorkerConfig,
    | 'pool'
    | 'dataDir'
    | 'workDir'
    | 'github'
    | 'links'
    | 'planKeys'
    | 'signingKeys'
    | 'sealKeys'
    | 'issuer'
    | 'traces'
    | 'grace'
  >;
  readonly server: { current(): Pick<ServerConfig, 'repositories' | 'workflows' | 'pools' | 'terraform' | 'policies'> };
}

/** Of a worker that is a host. */
export function hostContextOf(context: HostOnlyContext | WorkerContext): HostContext {
  const { config, begunApplies, keptPlans, jobLogs } = context;
  const { pool } = config;
  return { ...context, begunApplies: begunApplies.of(pool), keptPlans: keptPlans.of(pool), jobLogs: jobLogs.of(pool) };
}

export interface HostTools {
  readonly context: HostContext;
  readonly findBinary: FindBinary;
  readonly findConftest: FindConftest;
  /** As at the start: only then is it checked that the machine can make such sandboxes, and what they show. */
  readonly sandbox: ServerConfig['terraform'];
  /** Undefined when the memory of jobs is not limited. */
  readonly memoryGroups: MemoryGroups | undefined;
  /** By deployment. After a restart it is empty, and kept plans are restored. */
  readonly memory: Map<string, PlanAtHand>;
  /** Jobs whose apply did not begin here, but whose marker in storage could not be removed. */
  readonly leftMarkers: Set<string>;
}

/** A plan that this process made, in a tree that has not changed since. */
export interface PlanAtHand {
  /** SHA-256 of the plan file, 64 hex digits. */
  readonly digest: string;
  readonly treeDir: string;
  /** Values of `env` steps, which are evaluated once for the deployment. May be secret. */
  readonly envValues: Readonly<Record<string, string>>;
  readonly description: PlanDescription;
}

export function createHostTools(context: HostContext): HostTools {
  const { terraform } = context.server.current();
  const { downloads, mirror, version } = terraform;
  const path = context.environment['PATH'] ?? '';
  const findBinary = createBinaryFinder({
    path,
    cacheDir: join(context.config.dataDir, 'terraform'),
    downloads: downloads ? defined({ mirrorUrl: mirror }) : false,
    ...defined({ defaultVersion: version }),
  });
  const findConftest = createConftestFinder({ path, cacheDir: join(context.config.dataDir, 'conftest'), downloads });
  const memoryGroups = openJobGroups(terraform, context.logger);
  const sandbox = terraform;
  return { context, findBinary, findConftest, sandbox, memoryGroups, memory: new Map(), leftMarkers: new Set() };
}
