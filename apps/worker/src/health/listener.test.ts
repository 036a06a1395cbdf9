import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from '@jest/globals';
import { listen } from './listener.ts';

const ANY_PORT = { host: '127.0.0.1', port: 0 };

/** Unless it is told otherwise, Node looks for connections that exceed their limits this often. */
const NODE_LOOKS_AFTER_MS = 30_000;

test('connections that never finish their headers are cut off soon after the limit', async () => {
  const limits = { requestMs: 100, checkEveryMs: 50 };
  const listener = await listen(() => undefined, ANY_PORT, 'WORKER_ADDRESS', limits);
  const port = Number(listener.address.split(':')[1]);
  const beforeNodeLooks = AbortSignal.timeout(NODE_LOOKS_AFTER_MS / 2);

  const cut = Array.from({ length: 5 }, async () => {
    const socket = connect(port, '127.0.0.1').resume();
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nUser-Ag');
    await once(socket, 'close', { signal: beforeNodeLooks });
  });

  await Promise.all(cut).finally(() => listener.close());
});
