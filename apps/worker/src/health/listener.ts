/** An HTTP server for probes and metrics. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { ConfigurationError, type Address } from '@nereid/config';

export interface Listener {
  /** `host:port` as it really is: port 0 asks for any. */
  readonly address: string;
  close(): Promise<void>;
}

/** Who asks is a machine next to us: its requests are small and at once here. */
const REQUEST_MS = 5_000;

/** Throws a ConfigurationError, naming the variable that has the address, when it cannot listen there. */
export async function listen(listener: RequestListener, address: Address, variable: string): Promise<Listener> {
  const server = createServer({ headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS }, listener);
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
