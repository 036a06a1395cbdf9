import { hasErrorCode } from '@nereid/subprocess';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below those that systems hand out by themselves, to each connection and to whoever listens on any port: Linux from 32,768
 * on, others later. One of those would be somebody's before it is used, or while a server that has it is started again.
 */
const PORTS = { from: 10_000, below: 32_768 } as const;

/** Thousands are free on any machine: this many in a row are taken only where none may be used. */
const TRIES = 100;

/** What was handed out may not be listened on yet. */
const given = new Set<number>();

/** A port of 127.0.0.1 that nobody listens on, and never the same one twice. Another program may choose it too: that is rare. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(PORTS.from, PORTS.below);
    if (given.has(port) || !(await isFreePort(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`expected a free port from ${PORTS.from} to ${PORTS.below - 1}, found none in ${TRIES} tries`);
}

/** Whether one may listen on this port of 127.0.0.1: nobody does, and the system keeps it for nobody. */
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
