import { afterEach, expect, test } from '@jest/globals';
import { healthListener, type Readiness } from './health-listener.ts';
import { listen, type Listener } from './listen.ts';

let listener: Listener | undefined;

afterEach(() => listener?.close(0));

async function ask(path: string, readiness: Readiness): Promise<readonly [number, unknown]> {
  const app = healthListener(() => readiness);
  listener = await listen(app, { host: '127.0.0.1', port: 0 }, 'WORKER_ADDRESS', { requestMs: 10_000 });
  const response = await fetch(`http://${listener.address}${path}`);
  return [response.status, await response.json()];
}

test.each([
  ['/readyz', { isReady: true, message: 'ready' }, 200, 'ready'],
  ['/readyz?from=a-load-balancer', { isReady: false, message: 'not ready: stopping' }, 503, 'not ready: stopping'],
  ['/healthz', { isReady: false, message: 'not ready: stopping' }, 200, 'alive'],
  ['/elsewhere', { isReady: true, message: 'ready' }, 404, 'expected GET /healthz or GET /readyz'],
])('%s of a process that says %j is answered %i', async (path, readiness, status, message) => {
  expect(await ask(path, readiness)).toEqual([status, { message }]);
});
