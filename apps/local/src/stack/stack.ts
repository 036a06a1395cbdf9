/** Everything on one machine: Temporal, the GitHub stand-in, storage, and Nereid's three processes. */
import {
  findTemporalCli,
  findTerraform,
  startGitHub,
  startTemporalServer,
  type Environment,
  type GitHubStandIn,
  type Report,
  type TemporalServer,
} from '@nereid/test-kit';
import path from 'node:path';
import { databaseFileOf, makeFolders, type Folders } from './folders.ts';
import { keepRunning, type KeepOptions, type Kept, type Running } from './keep-running.ts';
import { choosePorts, type Ports } from './ports.ts';
import {
  addressesOf,
  APP_ID,
  APP_NAMES,
  logFileOf,
  SECOND_WORKER,
  startApp,
  type AppName,
  type ProcessOptions,
} from './processes.ts';
import { makeSecrets, type SecretFile, type Secrets } from './secrets.ts';
import { writeServerFile } from './server-file.ts';
import { buildWorkflowBundle } from './workflow-bundle.ts';
import { openStorage, prepareStorage, type Storage, type StorageKind } from './storage.ts';

export interface StackOptions {
  readonly env: Environment;
  /** Where everything is kept; a second start on it continues. */
  readonly folder: string;
  readonly ports: 'usual' | 'free';
  readonly storage: StorageKind;
  /** Answers the address at which processes reach storage on S3, in the place of its own. */
  readonly storageThrough?: (endpoint: string) => Promise<string>;
  readonly report: Report;
  /** How often within a minute a process that ended by itself is started again: default never. */
  readonly restarts?: number;
  /** Two hosts instead of one. */
  readonly hasSecondWorker?: boolean;
  /** What the server's file says of repositories beside the sample. */
  readonly repositories?: readonly object[];
  /** A shell command before each plan of the sample. */
  readonly beforePlan?: string;
  /** Ends the start early: what was started is stopped, and the signal's reason thrown. */
  readonly signal?: AbortSignal;
}

export type ProcessName = AppName | 'temporal';

export interface Stack extends AsyncDisposable {
  readonly github: GitHubStandIn;
  readonly storage: Storage;
  readonly folders: Folders;
  readonly webhookSecret: SecretFile;
  /** `host:port`. */
  readonly temporalAddress: string;
  readonly urls: {
    readonly github: string;
    readonly webhooks: string;
    readonly temporalUi: string;
  };
  readonly terraform: string;
  /** SIGKILL; what it started and left running goes on. It is started again as often as `restarts` says. */
  kill(name: ProcessName): Promise<void>;
  /** SIGTERM; resolves when it was started again. */
  restart(name: ProcessName): Promise<void>;
  /** SIGKILL, and not started again before it is let up. */
  holdDown(name: ProcessName): Promise<void>;
  letUp(name: ProcessName): Promise<void>;
  /** Rejects when a process ended by itself and is not started again. Never resolves. */
  readonly broken: Promise<never>;
}

/** Starts all of it and waits until all of it is ready; what was started is stopped when something fails, and when disposed of. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { env, report, signal } = options;
  await using started = new AsyncDisposableStack();
  await prepareStorage(options.storage, { env, report, signal });
  const cli = await findTemporalCli({ env, report, signal });
  const terraform = await findTerraform({ env, report, signal });
  const folders = await makeFolders(options.folder);
  const bundling = buildWorkflowBundle(folders, signal);
  // Whoever fails first is told.
  bundling.catch(() => undefined);
  const [ports, secrets] = [await choosePorts(options.ports, report), await makeSecrets(folders.secrets)];

  const storage = await openStorage(options.storage, { folders, env, report, through: options.storageThrough, signal });
  started.defer(() => storage.stop());
  report(`Temporal: http://127.0.0.1:${ports.temporalUi}`);
  const keeping = keepingOf(options, folders);
  const temporal = await keeping('temporal', (signal) => startTemporal({ cli, folders, ports, signal }));
  started.defer(() => temporal.stop());
  const urls = urlsOf(ports);
  const github = await startStandIn({ folders, ports, secrets, webhookUrl: urls.webhooks });
  started.defer(() => github.close());

  const distribution = path.basename(terraform) === 'tofu' ? 'tofu' : 'terraform';
  const serverFile = await writeServerFile({
    folders,
    storage,
    distribution,
    repositories: options.repositories ?? [],
    beforePlan: options.beforePlan,
  });
  const processes = {
    ...{ env, ports, folders, secrets, storage, serverFile, terraform },
    githubApiUrl: github.apiUrl,
    workflowBundle: await bundling,
  };
  const names = [...APP_NAMES, ...(options.hasSecondWorker ? ([SECOND_WORKER] as const) : [])];
  const apps = await startApps(names, processes, { keeping, started, report });
  // Who waits for something beside it asks; nobody has to.
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
    urls,
    terraform,
    kill: (name) => processOf(name).kill(),
    restart: (name) => processOf(name).restart(),
    holdDown: (name) => processOf(name).holdDown(),
    letUp: (name) => processOf(name).letUp(),
    broken,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

interface Starting {
  readonly keeping: Keeping;
  readonly started: AsyncDisposableStack;
  readonly report: Report;
}

/** All of them are awaited, also when one fails: what comes up late must be stopped too. */
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

/** Starts one of the processes, and again as often as it may. */
type Keeping = <R extends Running>(name: ProcessName, start: KeepOptions<R>['start']) => Promise<Kept<R>>;

function keepingOf({ report, restarts = 0, signal }: StackOptions, folders: Folders): Keeping {
  return (name, start) => keepRunning({ name, logFile: logFileOf(folders, name), restarts, report, signal, start });
}

function urlsOf(ports: Ports): Stack['urls'] {
  const addresses = addressesOf(ports);
  return {
    github: `http://127.0.0.1:${ports.github}`,
    webhooks: `${addresses.gateway}/events`,
    temporalUi: addresses.temporalUi,
  };
}

interface TemporalOptions {
  readonly cli: string;
  readonly folders: Folders;
  readonly ports: Ports;
  readonly signal: AbortSignal | undefined;
}

function startTemporal({ cli, folders, ports, signal }: TemporalOptions): Promise<TemporalServer> {
  return startTemporalServer({
    cli,
    signal,
    logFile: logFileOf(folders, 'temporal'),
    port: ports.temporal,
    uiPort: ports.temporalUi,
    databaseFile: databaseFileOf(folders),
    headless: false,
  });
}

interface StandInOptions {
  readonly folders: Folders;
  readonly ports: Ports;
  readonly secrets: Secrets;
  readonly webhookUrl: string;
}

function startStandIn({ folders, ports, secrets, webhookUrl }: StandInOptions): Promise<GitHubStandIn> {
  return startGitHub({
    dataDir: folders.github,
    port: ports.github,
    app: { id: APP_ID, slug: 'nereid', key: secrets.appKey.value },
    webhook: { url: webhookUrl, secret: secrets.webhook.value },
  });
}
