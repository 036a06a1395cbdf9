import { SEARCH_ATTRIBUTE } from '@nereid/domain/temporal-names';

export interface DevServer {
  readonly port: number;
  /** Undefined: there is none. */
  readonly ui: WebUi | undefined;
  readonly httpPort?: number;
  readonly databaseFile?: string;
  /** How many events a history has when its workflow is told to continue as new; default: the server's own limit. */
  readonly continuedAfterEvents?: number;
}

/** Where the web UI listens: an address of this machine. */
export interface WebUi {
  readonly host: string;
  readonly port: number;
}

/** The arguments, of Temporal's CLI and of temporal/dev-server, for a dev server that suits us. */
export function devServerArguments(server: DevServer): readonly string[] {
  const { port, ui, httpPort, databaseFile, continuedAfterEvents } = server;
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'warn'],
    // The user's own Temporal configuration is about other servers.
    ...['--disable-config-file', '--disable-config-env'],
    ...(ui === undefined ? ['--headless'] : ['--ui-ip', ui.host, '--ui-port', String(ui.port)]),
    ...(httpPort === undefined ? [] : ['--http-port', String(httpPort)]),
    ...Object.values(SEARCH_ATTRIBUTE).flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
    ...[...QUICK_STEPS, ...AS_IN_PRODUCTION, NO_HTTP_API].flatMap((setting) => ['--dynamic-config-value', setting]),
    ...(continuedAfterEvents === undefined
      ? []
      : ['--dynamic-config-value', `limit.historyCount.suggestContinueAsNew=${continuedAfterEvents}`]),
    ...(databaseFile === undefined ? [] : ['--db-filename', databaseFile, ...QUICK_FILE]),
  ];
}

/**
 * The dev server has one history shard, and a shard polls each of its queues at most 20 times a second: every step of every
 * workflow would wait 50 ms. With these, a workflow of 8 activities takes 57 ms instead of 850 ms.
 */
const QUICK_STEPS = ['history.transferProcessorMaxPollRPS=2000', 'history.timerProcessorMaxPollRPS=2000'] as const;

/** The same settings as in temporal/dynamic-config.yaml, which has the reasons. */
const AS_IN_PRODUCTION = [
  // Temporal's CLI would have it re-read search attributes each time, which hides what a process learns too late.
  'system.forceSearchAttributesCacheRefreshOnRead=false',
  'system.enableActivityEagerExecution=true',
  'history.MaxBufferedQueryCount=200',
  'matching.useNewMatcher=true',
  'matching.enableFairness=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
] as const;

/** It has a port of its own, and would answer a page of any site whose own name leads to this machine. */
const NO_HTTP_API = 'frontend.httpAllowedHosts=[]';

/** Halves the cost of SQLite: that workflow takes 64 ms instead of 117 ms. A power cut may lose the last transactions. */
const QUICK_FILE = ['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'] as const;
