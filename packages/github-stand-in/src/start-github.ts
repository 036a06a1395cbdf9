import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { createApi } from './api/api.ts';
import { readPublicKey } from './auth/app-jwt.ts';
import { INSTALLATION_EVENTS, INSTALLATION_PERMISSIONS } from './auth/installation-permissions.ts';
import { loadContract } from './contract/contract.ts';
import { createFaults } from './faults/faults.ts';
import { createGitRouter } from './git-http/git-router.ts';
import { createPages } from './pages/pages.ts';
import { ensureAccount } from './state/accounts.ts';
import { createSerialise } from './state/serialise.ts';
import type { Permissions } from './state/model.ts';
import { openStore, type Store } from './state/store.ts';
import type { GitHubActions } from './github-actions.ts';
import { createActions } from './stand-in.ts';
import { createTraffic } from './traffic.ts';
import { createWebhooks } from './webhooks/webhooks.ts';
import type { OAuthClient, World } from './world.ts';

export interface GitHubOptions {
  /** Where repositories and everything else are kept; a second start continues there. */
  readonly dataDir: string;
  /** Default: any free port. */
  readonly port?: number;
  /** `key` is either half of the App's key pair, as PEM. */
  readonly app: {
    readonly id: number;
    readonly slug: string;
    readonly key: string;
    /** Default: all that Nereid needs, and more. */
    readonly permissions?: Permissions;
    readonly events?: readonly string[];
  };
  /** Whether the App stays for good; otherwise, one that a person makes takes its place. */
  readonly keepsApp?: boolean;
  /** The login of the App for people; without, it has none. */
  readonly oauth?: OAuthClient;
  /** Default: nobody listens. */
  readonly webhook?: { readonly url: string; readonly secret: string };
  /** Checks our own answers and webhooks against GitHub's description; for the stand-in's own tests. */
  readonly checkAnswers?: boolean;
  /** How many requests each installation and each person may send in an hour; default: 5,000, the least that GitHub gives. */
  readonly requestsPerHour?: number;
  /** Receives the failures inside the stand-in. */
  readonly log?: (message: string, error: unknown) => void;
}

/** A private GitHub: pages and git at `url`, the REST API at `apiUrl`, and the actions of people. */
export interface GitHubStandIn extends GitHubActions {
  readonly url: string;
  readonly apiUrl: string;
  /** Stops answering and delivering, and writes the pending changes. */
  close(): Promise<void>;
}

const REQUESTS_PER_HOUR = 5_000;

/** Nothing listens on the port that is reserved for "discard". */
const NOBODY = { url: 'http://127.0.0.1:9/events', secret: 'secret' };

/** Any number; webhooks carry it so that a receiver of several hooks could tell them apart. */
const HOOK_ID = 1;

/** Starts a GitHub stand-in on loopback. Throws when the port is taken or the data folder is not one of ours. */
export async function startGitHub(options: GitHubOptions): Promise<GitHubStandIn> {
  const store = await openStore(options.dataDir);
  const server = createServer();
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const world = await createWorld(options, store, `http://127.0.0.1:${portOf(server)}`);
  server.on('request', createApp(world, options.log ?? (() => undefined)));
  return {
    ...createActions(world, HOOK_ID),
    url: world.url,
    apiUrl: world.apiUrl,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await world.webhooks.close();
      await store.close();
    },
  };
}

async function createWorld(options: GitHubOptions, store: Store, url: string): Promise<World> {
  const { app, webhook = NOBODY, dataDir } = options;
  const repositoriesDir = join(dataDir, 'repositories');
  await mkdir(repositoriesDir, { recursive: true });
  const bot = `${app.slug}[bot]`;
  ensureAccount(store, bot, 'Bot');
  const faults = createFaults();
  return {
    url,
    apiUrl: `${url}/api/v3`,
    app: {
      id: app.id,
      slug: app.slug,
      clientId: `Iv23li${String(app.id).padStart(14, '0')}`,
      owner: undefined,
      url: `${url}/-/people/${encodeURIComponent(bot)}`,
      permissions: app.permissions ?? INSTALLATION_PERMISSIONS,
      events: app.events ?? INSTALLATION_EVENTS,
      bot,
      publicKey: readPublicKey(app.key),
    },
    keepsApp: options.keepsApp ?? false,
    oauth: options.oauth,
    store,
    contract: await loadContract(),
    faults,
    traffic: createTraffic(),
    webhooks: createWebhooks(store, faults, { ...webhook, hookId: HOOK_ID, appId: app.id }),
    serialise: createSerialise(),
    repositoriesDir,
    checkAnswers: options.checkAnswers ?? false,
    requestsPerHour: options.requestsPerHour ?? REQUESTS_PER_HOUR,
  };
}

function createApp(world: World, log: NonNullable<GitHubOptions['log']>): Express {
  const app = express();
  app.disable('x-powered-by');
  // Answers of the API have their own entity tags.
  app.disable('etag');
  app.use('/api/v3', createApi(world));
  app.use(createGitRouter(world));
  app.use(createPages(world));
  app.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    log(`${request.method} ${request.path} failed`, error);
    if (response.headersSent) next(error);
    else response.status(500).json({ message: error instanceof Error ? error.message : 'Server Error' });
  });
  return app;
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server was expected to listen on a port');
  return address.port;
}
