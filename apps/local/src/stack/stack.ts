/** Everything on one machine: Temporal, the GitHub stand-in, storage, and Nereid's three processes. */
import { defined } from '@nereid/domain/defined';
import { startGitHub, type GitHubStandIn } from '@nereid/github-stand-in';
import {
  findDevServer,
  findTerraform,
  startTemporalServer,
  type Environment,
  type Report,
  type TemporalServer,
} from '@nereid/test-kit';
import path from 'node:path';
import type { RootName } from '../sample/repository.ts';
import { databaseFileOf, makeFolders, type Folders } from './folders.ts';
import { startBalancer } from './balancer.ts';
import { keepRunning, type KeepOptions, type Kept, type Running } from './running/keep-running.ts';
import { choosePorts, type Ports } from './ports.ts';
import {
  addressesOf,
  APP_ID,
  APP_NAMES,
  APPS,
  logFileOf,
  SECOND_WORKER,
  startApp,
  type AppName,
  type ProcessOptions,
  type Sources,
} from './processes.ts';
import { chooseReplicaPorts, portsOf, REPLICAS, type ReplicaName, type ReplicaPorts } from './replicas.ts';
import { chooseSandbox } from './sandbox.ts';
import { makeSecrets, type SecretFile, type Secrets } from './secrets.ts';
import { writeServerFile } from './server-file.ts';
import { chooseUiPlace, guardUi, type UiPlace } from './temporal-ui/ui-guard.ts';
import { buildWorkflowBundle } from './workflow-bundle.ts';
import { openStorage, prepareStorage, type Storage, type StorageKind } from './storage.ts';

export interface StackOptions {
  readonly env: Environment;
  /** Where everything is kept; a second start with the same folder continues. */
  readonly folder: string;
  readonly ports: 'usual' | 'free';
  readonly storage: StorageKind;
  /** Returns the address at which processes reach storage on S3, in place of the server's own. */
  readonly storageThrough?: (endpoint: string) => Promise<string>;
  readonly report: Report;
  /** How often within a minute a process that ended by itself is started again; default never. */
  readonly restarts?: number;
  /** Two hosts instead of one. */
  readonly hasSecondWorker?: boolean;
  /** A control worker, and a host of its own, each with the keys of its role alone. */
  readonly hasHostAlone?: boolean;
  /** Like `hasHostAlone`, with several of each process: see replicas.ts. */
  readonly hasSeveral?: boolean;
  /** The pool of the second worker, and of roots of the sample; default: `default`. */
  readonly pools?: Pools;
  /** The entries in the server's file for repositories other than the sample. */
  readonly repositories?: readonly object[];
  /** Workflows in the server's file besides those of the sample, by name. */
  readonly workflows?: Readonly<Record<string, object>>;
  /** Pull requests of the sample are planned. */
  readonly plansPullRequests?: boolean;
  /** Who reviews the sample's plans; default: `required`. */
  readonly planReview?: 'required' | 'before_merge';
  /** The entries in the server's file for policies. */
  readonly policies?: readonly object[];
  /** How GitHub shows what is deployed where; default: not at all. */
  readonly deployments?: { readonly environment: string };
  /** The entries in the server's file for environments whose jobs wait; default: none. */
  readonly protectionRules?: readonly object[];
  /** The entries in the server's file for windows. */
  readonly windows?: readonly object[];
  /** The entries in the server's file for waves and for budgets. */
  readonly waves?: readonly object[];
  readonly budgets?: readonly object[];
  /** A shell command that runs before each plan of the sample. */
  readonly beforePlan?: string;
  /** Default: bubblewrap, where this machine can make sandboxes. */
  readonly sandbox?: 'bubblewrap' | 'none';
  /** What code of roots reaches of the network; default: all that this machine reaches. */
  readonly network?: 'host' | 'none';
  /** What goes through Temporal is sealed; default: it is not. */
  readonly sealsPayloads?: boolean;
  /** Default: the least that GitHub gives. */
  readonly githubRequestsPerHour?: number;
  /** Variables that the processes have besides those that they need. */
  readonly environments?: ProcessOptions['environments'];
  /** The files of workers that run another build of the workflows than the stack's own. */
  readonly workflowBundles?: Partial<Record<AppName, string>>;
  /** What the command line of a process begins with; default: nothing but Node. */
  readonly launchers?: ProcessOptions['launchers'];
  /** What processes are started from until they are upgraded; default: this checkout. */
  readonly earlier?: Sources | undefined;
  /** Starts another Temporal than the dev server. Its web UI is away. */
  readonly startTemporal?: StartTemporal | undefined;
  /** Ends the start early: everything that was started is stopped, and the signal's reason is thrown. */
  readonly signal?: AbortSignal;
}

type StartTemporal = (place: TemporalPlace) => Promise<TemporalServer>;

interface TemporalPlace {
  readonly port: number;
  /** Where only the guard of the UI finds it. */
  readonly ui: UiPlace;
  readonly logFile: string;
  readonly folders: Folders;
  readonly signal: AbortSignal | undefined;
}

export interface Pools {
  readonly secondWorker: string;
  readonly roots: Readonly<Partial<Record<RootName, string>>>;
}

export type ProcessName = AppName | 'temporal';

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
    folders,
    storage,
    distribution,
    sandbox: options.sandbox ?? (await chooseSandbox(env, report)),
    pools: secrets.pools,
    hosts: options.pools?.roots ?? {},
    network: options.network ?? 'host',
    repositories: options.repositories ?? [],
    workflows: options.workflows ?? {},
    plansPullRequests: options.plansPullRequests ?? false,
    planReview: options.planReview ?? 'required',
    policies: options.policies ?? [],
    ...defined({
      deployments: options.deployments,
      protectionRules: options.protectionRules,
      waves: options.waves,
      budgets: options.budgets,
    }),
    beforePlan: options.beforePlan,
    temporalUi: urls.temporalUi,
  } as const;
  const serverFile = await writeServerFile({ ...inServerFile, windows: options.windows ?? [] });
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

interface Starting {
  readonly keeping: Keeping;
  readonly started: AsyncDisposableStack;
  readonly report: Report;
}

/** Waits for all of them, even when one fails: an app that comes up late must be stopped too. */
async function startApps(
  names: readonly AppName[],
  options: ProcessOptions,
  { keeping, started, report }: Starting,
): Promise<ReadonlyMap<AppName, Kept>> {
  const starts = names.map(async (name) => {
    const app = await keeping(name, (signal) => startApp(name, options, signal));
    started.defer(() => app.stop());
    report(`${name}: ready`);
    return [name, app] as const;
  });
  const failed = (await Promise.allSettled(starts)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return new Map(await Promise.all(starts));
}

/** Starts one of the processes, and starts it again as often as it may. */
type Keeping = <R extends Running>(name: ProcessName, start: KeepOptions<R>['start']) => Promise<Kept<R>>;

function keepingOf({ report, restarts = 0, signal }: StackOptions, folders: Folders): Keeping {
  return (name, start) => keepRunning({ name, logFile: logFileOf(folders, name), restarts, report, signal, start });
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
