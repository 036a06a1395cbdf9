import { freePort } from '@nereid/test-kit';
import { once } from 'node:events';
import { createServer } from 'node:net';

export interface Ports {
  readonly temporal: number;
  readonly temporalUi: number;
  readonly github: number;
  readonly gateway: number;
  readonly worker: number;
  readonly console: number;
}

/** Those of the documentation; GitHub's beside the gateway's. */
const USUAL: Ports = { temporal: 7233, temporalUi: 8233, github: 4140, gateway: 4143, worker: 4142, console: 4144 };

/** The usual ports, each replaced by a free one where somebody listens already; or free ones altogether. */
export async function choosePorts(kind: 'usual' | 'free'): Promise<Ports> {
  const pick = async (port: number) => (kind === 'usual' && (await isFree(port)) ? port : freePort());
  return {
    temporal: await pick(USUAL.temporal),
    temporalUi: await pick(USUAL.temporalUi),
    github: await pick(USUAL.github),
    gateway: await pick(USUAL.gateway),
    worker: await pick(USUAL.worker),
    console: await pick(USUAL.console),
  };
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
