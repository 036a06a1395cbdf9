/** Everything on one machine: Temporal, the GitHub stand-in, storage, and Nereid's three processes. */
import {
  findTemporalCli,
  findTerraform,
  startGitHub,
  startTemporalServer,
  type Environment,
  type GitHubStandIn,
  type Report,
} from '@nereid/test-kit';
import path from 'node:path';
import { makeFolders, type Folders } from './folders.ts';
import { choosePorts, type Ports } from './ports.ts';
import { addressesOf, APP_ID, APP_NAMES, logFileOf, startApp, type ProcessOptions } from './processes.ts';
import { makeSecrets, type SecretFile, type Secrets } from './secrets.ts';
import { writeServerFile } from './server-file.ts';
import { openStorage, type Storage, type StorageKind } from './storage.ts';

export interface StackOptions {
  readonly env: Environment;
  /** Where everything is kept; a second start on it continues. */
  readonly folder: string;
  readonly ports: 'usual' | 'free';
  readonly storage: StorageKind;
  readonly report: Report;
}

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
}

/** Starts all of it and waits until all of it is ready; what was started is stopped when something fails, and when disposed of. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { env, report } = options;
  await using started = new AsyncDisposableStack();
  const cli = await findTemporalCli({ env, report });
  const terraform = await findTerraform({ env, report });
  const folders = await makeFolders(options.folder);
  const [ports, secrets] = [await choosePorts(options.ports), await makeSecrets(folders.secrets)];

  const storage = await openStorage(options.storage, { folders, env, report });
  started.defer(() => storage.stop());
  report(`Temporal: http://127.0.0.1:${ports.temporalUi}`);
  const temporal = await startTemporal(cli, folders, ports);
  started.defer(() => temporal.stop());
  const urls = urlsOf(ports);
  const github = await startStandIn({ folders, ports, secrets, webhookUrl: urls.webhooks });
  started.defer(() => github.close());

  const distribution = path.basename(terraform) === 'tofu' ? 'tofu' : 'terraform';
  const serverFile = await writeServerFile({ folders, storage, distribution });
  const processes = { env, ports, folders, secrets, storage, serverFile, terraform, githubApiUrl: github.apiUrl };
  await startApps(processes, started, report);

  const all = started.move();
  return {
    github,
    storage,
    folders,
    webhookSecret: secrets.webhook,
    temporalAddress: temporal.address,
    urls,
    terraform,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** All of them are awaited, also when one fails: what comes up late must be stopped too. */
async function startApps(options: ProcessOptions, started: AsyncDisposableStack, report: Report): Promise<void> {
  const starts = APP_NAMES.map(async (name) => {
    const app = await startApp(name, options);
    started.defer(() => app.stop());
    report(`${name}: ready`);
  });
  const failed = (await Promise.allSettled(starts)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

function urlsOf(ports: Ports): Stack['urls'] {
  const addresses = addressesOf(ports);
  return {
    github: `http://127.0.0.1:${ports.github}`,
    webhooks: `${addresses.gateway}/events`,
    temporalUi: addresses.temporalUi,
  };
}

function startTemporal(cli: string, folders: Folders, ports: Ports) {
  return startTemporalServer({
    cli,
    logFile: logFileOf(folders, 'temporal'),
    port: ports.temporal,
    uiPort: ports.temporalUi,
    databaseFile: path.join(folders.top, 'temporal.db'),
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
