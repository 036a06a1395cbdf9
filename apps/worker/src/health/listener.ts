/** An HTTP server for probes and metrics. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { ConfigurationError, type Address } from '@nereid/config';

export interface Listener {
  /** `host:port` as it really is: port 0 asks for any. */
  readonly address: string;
  close(): Promise<void>;
}

/** How long a client may take to send what it sends. */
interface Limits {
  readonly requestMs: number;
  /** How often connections are looked at: one that exceeds the limit is cut off within this time. */
  readonly checkEveryMs: number;
}

const LIMITS: Limits = {
  // Probes and Prometheus are machines next to us: their requests are small and arrive at once.
  requestMs: 5_000,
  // Node looks every 30 s, six times as long as a request may take; a look at thousands of connections is cheap.
  checkEveryMs: 1_000,
};

/** Throws a ConfigurationError, naming the variable that has the address, when it cannot listen there. */
export async function listen(
  listener: RequestListener,
  address: Address,
  variable: string,
  { requestMs, checkEveryMs }: Limits = LIMITS,
): Promise<Listener> {
  const timeouts = { headersTimeout: requestMs, requestTimeout: requestMs, connectionsCheckingInterval: checkEveryMs };
  const server = createServer(timeouts, listener);
  try {
    server.listen(address.port, address.host);
    await once(server, 'listening');
  } catch (cause) {
    const found = `${address.host}:${address.port}`;
    const message = `expected an address to listen on, found ${found} (${String(cause)}); choose another`;
    throw new ConfigurationError([{ path: variable, message }]);
  }
  return { address: addressOf(server), close: () => close(server) };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return String(address);
  return address.family === 'IPv6' ? `[${address.address}]:${address.port}` : `${address.address}:${address.port}`;
}
