/** Nereid's own processes, each with exactly the environment that it needs. */
import { startUntilReady, type BackgroundProcess, type Environment } from '@nereid/test-kit';
import path from 'node:path';
import type { Folders } from './folders.ts';
import type { Ports } from './ports.ts';
import { asReplica, isReplica, REPLICAS, type OriginalName, type ReplicaName, type ReplicaPorts } from './replicas.ts';
import type { Secrets } from './secrets.ts';
import type { Storage } from './storage.ts';

export interface ProcessOptions {
  readonly env: Environment;
  readonly ports: Ports;
  readonly folders: Folders;
  readonly secrets: Secrets;
  readonly storage: Storage;
  readonly serverFile: string;
  /** The path of the program. */
  readonly terraform: string;
  readonly githubApiUrl: string;
  /** Asked at each start of a process. */
  readonly sourcesOf: (name: AppName) => Sources;
  /** The first worker has the role control alone, and the second one terraform: each has only the keys of its role. */
  readonly hasHostAlone: boolean;
  /** The pool of the second worker; undefined for `default`. */
  readonly secondPool: string | undefined;
  /** What goes through Temporal is sealed. */
  readonly sealsPayloads: boolean;
  /** Variables that processes have besides those that they need. */
  readonly environments?: Partial<Record<AppName, Variables>> | undefined;
  readonly replicaPorts: ReplicaPorts;
  /** What the command line of a process begins with, before Node. */
  readonly launchers?: Partial<Record<AppName, Launcher>> | undefined;
}

/** The files and settings from which a process is started. */
export interface Sources {
  /** The folder of the apps. */
  readonly apps: string;
  /** The path of the file. */
  readonly workflowBundle: string;
}

export const APP_NAMES = ['gateway', 'worker', 'console'] as const;

/** A second worker is a host of its own on the same machine. */
export const SECOND_WORKER = 'worker-2';

export type AppName = OriginalName | ReplicaName;

/** The number of the App that the GitHub stand-in knows. */
export const APP_ID = 4711;

/** Logs must contain only records, and an older Node would warn that TypeScript support is experimental. */
const QUIETLY = '--disable-warning=ExperimentalWarning';

/** The head of the Dockerfile says why. */
const YOUNG = '--max-semi-space-size=16';

/** Those of this checkout. */
export const APPS = path.join(import.meta.dirname, '../../..');

/**
 * Where Node keeps compiled code, sources without their types: a process starts a quarter sooner, and takes 20 MB less.
 * `npm ci` removes it; it has one entry for each module.
 */
const COMPILE_CACHE = path.join(APPS, '../node_modules/.cache/compiled');

/** At worst, two loaded cores take a minute to compile the worker's workflows and load Temporal's native library. */
const READY_TIMEOUT_MS = 180_000;

/** Each process ends by itself within its own grace. Only one that hangs is killed. */
const STOP_GRACE_MS = 120_000;

/** Starts one app from its sources and waits until it is ready. Throws `ServerStartError` with the end of its log. */
export function startApp(name: AppName, options: ProcessOptions, signal?: AbortSignal): Promise<BackgroundProcess> {
  const original = isReplica(name) ? REPLICAS[name] : name;
  const own = isReplica(name) ? asReplica(name, options, options.replicaPorts) : options;
  const sources = options.sourcesOf(name);
  const readyUrl = `${addressesOf(own.ports)[original]}/readyz`;
  return startUntilReady({
    name,
    process: {
      argv: commandLine(argumentsOf(original, sources), options.launchers?.[name]),
      env: {
        ...environmentOfAll(options),
        ...ENVIRONMENT[original](own),
        ...options.environments?.[name],
      },
      cwd: options.folders.top,
      logFile: logFileOf(options.folders, name),
      graceMs: STOP_GRACE_MS,
    },
    isReady: async () => (await fetch(readyUrl, { signal: AbortSignal.timeout(1_000) })).ok,
    readyTimeoutMs: READY_TIMEOUT_MS,
    signal,
  });
}

function commandLine(args: readonly string[], launcher?: Launcher): Launcher {
  return launcher ? [...launcher, process.execPath, QUIETLY, ...args] : [process.execPath, QUIETLY, ...args];
}

/** The same arguments as in the images, whose worker finds its bundle of workflows beside its code. */
function argumentsOf(name: OriginalName, { apps, workflowBundle }: Sources): readonly string[] {
  if (name === 'gateway') return ['--max-semi-space-size=4', path.join(apps, 'gateway/src/main.ts')];
  if (name === 'console') return [YOUNG, path.join(apps, 'console/src/main.ts')];
  const worker = path.join(apps, 'worker/src');
  const program = [path.join(worker, 'main.ts'), '--workflows', workflowBundle];
  return [YOUNG, '--import', path.join(worker, 'platform/temporal/preload.ts'), ...program];
}

export function logFileOf({ logs }: Folders, name: AppName | 'temporal'): string {
  return path.join(logs, `${name}.log`);
}

export function addressesOf(ports: Ports): Readonly<Record<OriginalName | 'temporalUi', string>> {
  return {
    gateway: `http://127.0.0.1:${ports.gateway}`,
    worker: `http://127.0.0.1:${ports.worker}`,
    [SECOND_WORKER]: `http://127.0.0.1:${ports.secondWorker}`,
    console: `http://127.0.0.1:${ports.console}`,
    temporalUi: `http://127.0.0.1:${ports.temporalUi}`,
  };
}

type Variables = Readonly<Record<string, string>>;
type Launcher = readonly [string, ...string[]];

function environmentOfAll({ env, ports, serverFile, secrets, sealsPayloads }: ProcessOptions): Variables {
  return {
    PATH: env['PATH'] ?? '',
    HOME: env['HOME'] ?? '',
    TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal}`,
    ...(sealsPayloads && { PAYLOAD_KEY_FILE: secrets.payload.file }),
    NEREID_CONFIG: serverFile,
    NODE_COMPILE_CACHE: COMPILE_CACHE,
  };
}

const ENVIRONMENT: Readonly<Record<OriginalName, (options: ProcessOptions) => Variables>> = {
  gateway: ({ ports, secrets }) => ({
    GATEWAY_ADDRESS: `127.0.0.1:${ports.gateway}`,
    GITHUB_APP_ID: String(APP_ID),
    GITHUB_WEBHOOK_SECRET_FILE: secrets.webhook.file,
    GATEWAY_KEY_FILE: secrets.signing.gateway.privateFile,
  }),
  worker: (options) => ({
    ...workerEnvironment(options, options.ports.worker, options.folders.data),
    METRICS_ADDRESS: `127.0.0.1:${options.ports.metrics}`,
    ...controlEnvironment(options),
    ...(options.hasHostAlone ? { WORKER_ROLES: 'control', ...publicKeysOf(options) } : hostEnvironment(options)),
  }),
  [SECOND_WORKER]: (options) => ({
    ...workerEnvironment(options, options.ports.secondWorker, options.folders.secondData),
    ...hostEnvironment(options),
    ...(options.hasHostAlone ? hostAloneEnvironment(options) : controlEnvironment(options)),
    ...poolEnvironment(options),
  }),
  console: (options) => ({
    ...linksOf(options),
    ...options.storage.environment,
    CONSOLE_ADDRESS: `127.0.0.1:${options.ports.console}`,
    CONSOLE_KEY_FILE: options.secrets.signing.console.privateFile,
    CONTROL_SEAL_PUBLIC_KEY_FILE: options.secrets.signing['control-seal'].publicFile,
    ORDERS_PUBLIC_KEY_FILE: options.secrets.signing.orders.publicFile,
  }),
};

/** Hosts share the folder of the working trees, because a plan remembers its path, but never the folder of their data. */
function workerEnvironment(options: ProcessOptions, port: number, dataDir: string): Variables {
  return {
    ...options.storage.environment,
    WORKER_ADDRESS: `127.0.0.1:${port}`,
    GITHUB_API_URL: options.githubApiUrl,
    DATA_DIR: dataDir,
    WORK_DIR: options.folders.work,
    SHUTDOWN_GRACE: '10s',
  };
}

function controlEnvironment(options: ProcessOptions): Variables {
  const { signing, appKey } = options.secrets;
  return {
    ...linksOf(options),
    GITHUB_APP_ID: String(APP_ID),
    GITHUB_APP_PRIVATE_KEY_FILE: appKey.file,
    GATEWAY_PUBLIC_KEY_FILE: signing.gateway.publicFile,
    CONSOLE_PUBLIC_KEY_FILE: signing.console.publicFile,
    CONTROL_SEAL_KEY_FILE: signing['control-seal'].privateFile,
    ORDERS_KEY_FILE: signing.orders.privateFile,
  };
}

/** The other halves, where a control worker is no host itself. */
function publicKeysOf({ secrets: { signing, plan } }: ProcessOptions): Variables {
  return {
    POOL_PUBLIC_KEY_FILE: signing.pool.publicFile,
    POOL_SEAL_PUBLIC_KEY_FILE: signing['pool-seal'].publicFile,
    PLAN_KEY_FILE: plan.file,
  };
}

function hostEnvironment({ env, secrets, terraform }: ProcessOptions): Variables {
  return {
    PLAN_KEY_FILE: secrets.plan.file,
    POOL_KEY_FILE: secrets.signing.pool.privateFile,
    PATH: [path.dirname(terraform), env['PATH'] ?? ''].join(path.delimiter),
  };
}

function hostAloneEnvironment({ secrets: { signing } }: ProcessOptions): Variables {
  return {
    WORKER_ROLES: 'terraform',
    ORDERS_PUBLIC_KEY_FILE: signing.orders.publicFile,
    POOL_SEAL_KEY_FILE: signing['pool-seal'].privateFile,
  };
}

/** Its keys, in place of those of `default`. */
function poolEnvironment({ secrets, secondPool: pool = '' }: ProcessOptions): Variables {
  const files = secrets.pools.get(pool);
  if (files === undefined) return {};
  return { POOL: pool, POOL_KEY_FILE: files.sign.privateFile, POOL_SEAL_KEY_FILE: files.seal.privateFile };
}

function linksOf({ ports, secrets, githubApiUrl }: ProcessOptions): Variables {
  const { console: consoleUrl } = addressesOf(ports);
  return {
    GITHUB_API_URL: githubApiUrl,
    CONSOLE_URL: consoleUrl,
    LINK_KEY_FILE: secrets.link.file,
  };
}
