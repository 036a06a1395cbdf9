/** An HTTP server that listens on an address and stops gracefully. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { ConfigurationError, type Address } from '@nereid/config';
import { limitConnections, type OpenConnections } from './limit-connections.ts';
import { refuseBroken } from './refuse-broken.ts';

export interface Listener {
  /** The actual `host:port`: port 0 asks for any free port. */
  readonly address: string;
  /** Takes no more connections, gives requests in flight this long to finish, then cuts them off. */
  close(graceMs: number): Promise<void>;
}

interface Limits {
  /** How long a client may take to send a request. */
  readonly requestMs: number;
  /** The limit for its headers, at most `requestMs`. */
  readonly headersMs?: number;
  /** How often connections are checked: one that exceeds a limit is cut off within this time. */
  readonly checkEveryMs?: number;
  /** How many connections may be open at a time. */
  readonly connections?: number;
  /** How long a client may read nothing of an answer that waits for it. */
  readonly unreadMs?: number;
}

/** Our clients send their headers at once. GitHub gives up a webhook after ten seconds; nobody may keep a connection for longer. */
const HEADERS_MS = 8_000;

/** Node checks every 30 s, which is longer than most clients may take. Checking thousands of connections is cheap. */
const CHECK_EVERY_MS = 500;

/** Their headers, of 16 KiB at most, take 16 MiB together. GitHub, probes and people need a tenth of these connections. */
const CONNECTIONS = 1_000;

/** A network that loses its way for a moment is back by then. A thousand clients who do not read would lock everybody out. */
const UNREAD_MS = 30_000;

/** A browser keeps connections in store. One that asks for nothing so long after the listener closes was not about to. */
const UNUSED_MS = 500;

/** Throws a ConfigurationError that names the variable with the address when it cannot listen there. */
export async function listen(
  app: RequestListener,
  address: Address,
  variable: string,
  { requestMs, headersMs = HEADERS_MS, checkEveryMs = CHECK_EVERY_MS, ...limits }: Limits,
): Promise<Listener> {
  const { connections = CONNECTIONS, unreadMs = UNREAD_MS } = limits;
  const timeouts = {
    headersTimeout: Math.min(headersMs, requestMs),
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkEveryMs,
  };
  const server = createServer(timeouts, app);
  const open = limitConnections(server, { connections, unreadMs });
  refuseBroken(server);
  // A connection kept alive would outlive the listener: while the listener closes, each connection ends with its response.
  server.on('request', (_request, response) => {
    response.once('close', () => {
      if (!server.listening) server.closeIdleConnections();
    });
  });
  try {
    server.listen(address.port, address.host);
    await once(server, 'listening');
  } catch (cause) {
    const found = `${address.host}:${address.port}`;
    const message = `expected an address to listen on, found ${found} (${String(cause)}); choose another`;
    throw new ConfigurationError([{ path: variable, message }]);
  }
  return { address: addressOf(server), close: (graceMs) => close(server, open, graceMs) };
}

async function close(server: Server, open: OpenConnections, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const cutOffUnused = setTimeout(() => open.closeUnused(), Math.min(UNUSED_MS, graceMs));
  const cutOff = setTimeout(() => {
    server.closeAllConnections();
  }, graceMs);
  await closed;
  clearTimeout(cutOffUnused);
  clearTimeout(cutOff);
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return String(address);
  return address.family === 'IPv6' ? `[${address.address}]:${address.port}` : `${address.address}:${address.port}`;
}
