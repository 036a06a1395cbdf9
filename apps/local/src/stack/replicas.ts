/**
 * Several of each process, as companies run them: three gateways and two consoles, each behind one address, two control workers,
 * three hosts. A replica is like its original, except for its name, its port and its disk.
 */
import { freePort } from '@nereid/test-kit';
import path from 'node:path';
import type { Folders } from './folders.ts';
import type { Ports } from './ports.ts';

/** By name. With replicas, `worker` and its like are control workers, `worker-2` and its like hosts. */
export const REPLICAS = {
  'gateway-2': 'gateway',
  'gateway-3': 'gateway',
  'console-2': 'console',
  'control-2': 'worker',
  'host-2': 'worker-2',
  'host-3': 'worker-2',
} as const;

export type ReplicaName = keyof typeof REPLICAS;
export type OriginalName = (typeof REPLICAS)[ReplicaName];

export type ReplicaPorts = ReadonlyMap<string, number>;

/** A free port for each. */
export async function chooseReplicaPorts(): Promise<ReplicaPorts> {
  const ports = new Map<string, number>();
  for (const name of Object.keys(REPLICAS)) ports.set(name, await freePort());
  return ports;
}

/** That of the original, and those of its replicas. */
export function portsOf(original: OriginalName, port: number, replicas: ReplicaPorts): readonly number[] {
  const others = Array.from(replicas).filter(([name]) => isReplica(name) && REPLICAS[name] === original);
  return [port, ...others.map(([, other]) => other)];
}

export function isReplica(name: string): name is ReplicaName {
  return name in REPLICAS;
}

const PORT_OF = {
  gateway: 'gateway',
  console: 'console',
  worker: 'worker',
  'worker-2': 'secondWorker',
} as const satisfies Record<OriginalName, keyof Ports>;

/** The ports and folders of its original, with its own in their places. */
export function asReplica<O extends { readonly ports: Ports; readonly folders: Folders }>(
  name: ReplicaName,
  options: O,
  ports: ReplicaPorts,
): O {
  const port = ports.get(name);
  if (port === undefined) throw new Error(`expected a port for ${name}, found none`);
  const data = path.join(options.folders.top, `data-${name}`);
  return {
    ...options,
    // Its metrics have any port.
    ports: { ...options.ports, metrics: 0, [PORT_OF[REPLICAS[name]]]: port },
    folders: { ...options.folders, data, secondData: data },
  };
}
