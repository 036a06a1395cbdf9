/** What a company has beside its cluster: Temporal and storage, on the loopback address of the node, and doors to them for pods. */
import path from 'node:path';
import { startMoto } from '../../cloud/start-moto.ts';
import { findDevServer } from '../../temporal/find-dev-server.ts';
import { startTemporalServer } from '../../temporal/start-temporal-server.ts';
import type { Environment } from '../../toolchain/environment.ts';
import { forward, type Address } from './forward.ts';
import { NODE_ADDRESS } from './machine.ts';
import { GITHUB_PORT } from './merges.ts';

/** The ports of the doors. */
export const DOORS = { github: 4501, temporal: 7233, storage: 4566 } as const;

export const BUCKET = 'nereid';

const report = () => undefined;

/** `folder` is for logs. GitHub starts later. */
export async function startServices(folder: string, env: Environment): Promise<AsyncDisposable> {
  const stack = new AsyncDisposableStack();
  const program = await findDevServer({ env, report });
  const temporal = await startTemporalServer({ program, logFile: path.join(folder, 'temporal.log') });
  stack.defer(() => temporal.stop());
  const storage = await startMoto({ env, report, logFile: path.join(folder, 'moto.log') });
  stack.defer(() => storage.stop());
  await fetch(`${storage.endpoint}/${BUCKET}`, { method: 'PUT' });
  const doors = [
    [DOORS.temporal, addressIn(temporal.address)],
    [DOORS.storage, addressIn(new URL(storage.endpoint).host)],
    [DOORS.github, { host: '127.0.0.1', port: GITHUB_PORT }],
  ] as const;
  for (const [port, to] of doors) stack.use(await forward({ host: NODE_ADDRESS, port }, to));
  return stack;
}

/** Of host:port. */
function addressIn(text: string): Address {
  const [host = '', port] = text.split(':');
  return { host, port: Number(port) };
}
