import { hasErrorCode } from '@nereid/subprocess';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems hand out by themselves, to connections and to listeners on port 0: Linux from 32,768 on, others
 * from a higher number. Such a port could be taken before it is used, or while its server is started again.
 */
const PORTS = { from: 10_000, below: 32_768 } as const;

/** Thousands of ports are free on any machine: this many tries fail in a row only where no port may be used. */
const TRIES = 100;

/** The ports that were handed out; their servers may not listen yet. */
const given = new Set<number>();

/** Returns a port of 127.0.0.1 that nobody listens on, never the same one twice. Rarely, another program chooses it too. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(PORTS.from, PORTS.below);
    if (given.has(port) || !(await isFreePort(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`expected a free port from ${PORTS.from} to ${PORTS.below - 1}, found none in ${TRIES} tries`);
}

/** Whether this port of 127.0.0.1 can be listened on: nobody listens there, and the system does not reserve it. */
export async function isFreePort(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (hasErrorCode(error, 'EADDRINUSE') || hasErrorCode(error, 'EACCES')) return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
