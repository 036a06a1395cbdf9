/** Everything on one machine: Temporal, the GitHub stand-in, storage, and Nereid's three processes. */
import { defined } from '@nereid/domain/defined';
import { startGitHub, type GitHubStandIn } from '@nereid/github-stand-in';
import { findDevServer, findTerraform, startTemporalServer } from '@nereid/test-kit';
import path from 'node:path';
import { databaseFileOf, makeFolders, type Folders } from './folders.ts';
import { startBalancer } from './balancer.ts';
import type { Kept } from './running/keep-running.ts';
import { choosePorts, type Ports } from './ports.ts';
import { addressesOf, APP_ID, APP_NAMES, APPS, logFileOf, SECOND_WORKER, type AppName } from './processes.ts';
import { chooseReplicaPorts, portsOf, REPLICAS, type ReplicaName, type ReplicaPorts } from './replicas.ts';
import { chooseSandbox } from './sandbox.ts';
import { makeSecrets, type SecretFile, type Secrets } from './secrets.ts';
import { writeServerFile } from './server-file.ts';
import { keepingOf, startApps, type ProcessName } from './start-apps.ts';
import type { Pools, StackOptions, StartTemporal } from './stack-options.ts';
import { chooseUiPlace, guardUi } from './temporal-ui/ui-guard.ts';
import { buildWorkflowBundle } from './workflow-bundle.ts';
import { openStorage, prepareStorage, type Storage } from './storage.ts';

export type { ProcessName } from './start-apps.ts';
export type { StackOptions } from './stack-options.ts';

export interface Stack extends AsyncDisposable {
  readonly github: GitHubStandIn;
  readonly storage: Storage;
  readonly folders: Folders;
  readonly webhookSecret: SecretFile;
  /** `host:port`. */
  readonly temporalAddress: string;
  /** Undefined where nothing is sealed. */
  readonly payloadKey: SecretFile | undefined;
  readonly urls: {
    readonly github: string;
    readonly webhooks: string;
    readonly console: string;
    /** Of each console, the first among them. */
    readonly consoles: readonly string[];
    readonly temporalUi: string;
    /** Of the first worker. */
    readonly worker: string;
    readonly metrics: string;
  };
  readonly terraform: string;
  /** Writes the server's file with these windows instead. A process reads it when it starts. */
  changeWindows(windows: readonly object[]): Promise<void>;
  /** Sends SIGKILL. Children that the process left running go on; the process is started again as often as `restarts` says. */
  kill(name: ProcessName): Promise<void>;
  /** Sends SIGTERM; resolves when the process is ready again. */
  restart(name: ProcessName): Promise<void>;
  /** Like `restart`, from this checkout. */
  upgrade(name: AppName): Promise<void>;
  /** Sends SIGKILL; the process is not started again before `letUp`. */
  holdDown(name: ProcessName): Promise<void>;
  letUp(name: ProcessName): Promise<void>;
  /** Rejects when a process ended by itself and is not started again. Never resolves. */
  readonly broken: Promise<never>;
}

/** Starts everything and waits until it is ready. Everything is stopped when a part fails to start, and on disposal. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { env, report, signal } = options;
  await using started = new AsyncDisposableStack();
  await prepareStorage(options.storage, { env, report, signal });
  const startTemporal = options.startTemporal ?? devServer(await findDevServer({ env, report, signal }));
  const terraform = await findTerraform({ env, report, signal });
  const folders = await makeFolders(options.folder);
  const bundling = buildWorkflowBundle(folders, signal);
  // When another part fails first, a failure of the build must not count as unhandled.
  bundling.catch(() => undefined);
  const [ports, secrets] = [
    await choosePorts(options.ports, report),
    await makeSecrets(folders.secrets, poolsIn(options.pools)),
  ];

  const storage = await openStorage(options.storage, { folders, env, report, through: options.storageThrough, signal });
  started.defer(() => storage.stop());
  report(`Temporal: http://127.0.0.1:${ports.temporalUi}`);
  const keeping = keepingOf(options, folders);
  const ui = await chooseUiPlace();
  started.use(await guardUi(ports.temporalUi, ui));
  const place = { port: ports.temporal, ui, logFile: logFileOf(folders, 'temporal'), folders };
  const temporal = await keeping('temporal', (signal) => startTemporal({ ...place, signal }));
  started.defer(() => temporal.stop());
  const hasSeveral = options.hasSeveral ?? false;
  const replicaPorts = await chooseReplicaPorts();
  const balancer = hasSeveral
    ? started.use(await startBalancer(portsOf('gateway', ports.gateway, replicaPorts)))
    : undefined;
  const urls = urlsOf(ports, hasSeveral ? replicaPorts : new Map(), balancer?.port);
  const { githubRequestsPerHour: requestsPerHour } = options;
  const github = await startStandIn({
    ...{ folders, ports, secrets, webhookUrl: urls.webhooks },
    ...defined({ requestsPerHour }),
  });
  started.defer(() => github.close());

  const distribution = path.basename(terraform) === 'tofu' ? 'tofu' : 'terraform';
  const inServerFile = {
    ...options,
    folders,
    storage,
    distribution,
    temporalUi: urls.temporalUi,
    sandbox: options.sandbox ?? (await chooseSandbox(env, report)),
    pools: secrets.pools,
    hosts: options.pools?.roots ?? {},
  } as const;
  const serverFile = await writeServerFile(inServerFile);
  const own = { apps: APPS, workflowBundle: await bundling };
  const upgraded = new Set<AppName>();
  const processes = {
    ...{ env, ports, folders, secrets, storage, serverFile, terraform },
    githubApiUrl: github.apiUrl,
    sourcesOf: (name: AppName) => ({
      ...(upgraded.has(name) ? own : (options.earlier ?? own)),
      ...defined({ workflowBundle: options.workflowBundles?.[name] }),
    }),
    hasHostAlone: options.hasHostAlone === true || hasSeveral,
    replicaPorts,
    secondPool: options.pools?.secondWorker,
    sealsPayloads: options.sealsPayloads ?? false,
    environments: options.environments,
    launchers: options.launchers,
  };
  const hasSecond = options.hasSecondWorker === true || processes.hasHostAlone;
  const replicas = hasSeveral ? (Object.keys(REPLICAS) as ReplicaName[]) : []; // Its keys.
  const names = [...APP_NAMES, ...(hasSecond ? ([SECOND_WORKER] as const) : []), ...replicas];
  const apps = await startApps(names, processes, { keeping, started, report });
  // Nobody has to wait for this promise, so its rejection must not count as unhandled.
  const broken = Promise.race([storage, temporal, ...apps.values()].map((each) => each.broken));
  broken.catch(() => undefined);

  const processOf = (name: ProcessName): Kept => {
    const found = name === 'temporal' ? temporal : apps.get(name);
    if (found === undefined) throw new Error(`expected a process of this stack, found ${name}`);
    return found;
  };
  const all = started.move();
  return {
    github,
    storage,
    folders,
    webhookSecret: secrets.webhook,
    temporalAddress: temporal.first.address,
    payloadKey: options.sealsPayloads ? secrets.payload : undefined,
    urls,
    terraform,
    changeWindows: async (windows) => {
      await writeServerFile({ ...inServerFile, windows });
    },
    kill: (name) => processOf(name).kill(),
    restart: (name) => processOf(name).restart(),
    upgrade: (name) => {
      upgraded.add(name);
      return processOf(name).restart();
    },
    holdDown: (name) => processOf(name).holdDown(),
    letUp: (name) => processOf(name).letUp(),
    broken,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Those with a name of their own. */
function poolsIn(pools: Pools | undefined): readonly string[] {
  return pools === undefined ? [] : [...new Set([pools.secondWorker, ...Object.values(pools.roots)])];
}

function urlsOf(ports: Ports, replicas: ReplicaPorts, gatewayPort = ports.gateway): Stack['urls'] {
  const addresses = addressesOf(ports);
  return {
    github: `http://127.0.0.1:${ports.github}`,
    webhooks: `http://127.0.0.1:${gatewayPort}/events`,
    console: addresses.console,
    consoles: portsOf('console', ports.console, replicas).map((port) => `http://127.0.0.1:${port}`),
    temporalUi: addresses.temporalUi,
    worker: addresses.worker,
    metrics: `http://127.0.0.1:${ports.metrics}/metrics`,
  };
}

function devServer(program: string): StartTemporal {
  return ({ folders, ...place }) => startTemporalServer({ ...place, program, databaseFile: databaseFileOf(folders) });
}

interface StandInOptions {
  readonly folders: Folders;
  readonly ports: Ports;
  readonly secrets: Secrets;
  readonly webhookUrl: string;
  readonly requestsPerHour?: number;
}

function startStandIn({ folders, ports, secrets, webhookUrl, ...budget }: StandInOptions): Promise<GitHubStandIn> {
  return startGitHub({
    dataDir: folders.github,
    port: ports.github,
    app: { id: APP_ID, slug: 'nereid', key: secrets.appKey.value },
    // Somebody who tries nereid setup against it would take the App away from the running processes.
    keepsApp: true,
    webhook: { url: webhookUrl, secret: secrets.webhook.value },
    ...budget,
  });
}
