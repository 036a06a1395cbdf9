import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { aPush } from './events/payload.fixture.ts';
import { ANY_PORT, answerOf, deliver, startTestGateway, type TestGateway } from './gateway.fixture.ts';
import { listen } from './listener.ts';
import type { Started } from './temporal/start-intake.ts';

/** Unless it is told otherwise, Node looks for connections that exceed their limits this often. */
const NODE_LOOKS_AFTER_MS = 30_000;

let gateway: TestGateway | undefined;

afterEach(() => gateway?.close());

test('a webhook in flight is finished before the process stops, and no other is taken', async () => {
  const temporal = Promise.withResolvers<Started>();
  const arrived = Promise.withResolvers<undefined>();
  gateway = await startTestGateway({
    startIntake: () => {
      arrived.resolve(undefined);
      return temporal.promise;
    },
  });
  const inFlight = deliver(gateway.url, 'push', aPush());
  await arrived.promise;

  const closed = gateway.close(10_000);
  await expect(fetch(`${gateway.url}/healthz`)).rejects.toThrow();
  temporal.resolve({ kind: 'accepted' });

  expect(await answerOf(await inFlight)).toEqual({ status: 202, message: 'accepted' });
  await closed;
  gateway = undefined;
});

test('a connection that is kept alive does not hold up the stop', async () => {
  const listener = await listen((_request, response) => response.end('ok'), ANY_PORT, 'GATEWAY_ADDRESS');
  const agent = new Agent({ keepAlive: true });
  await new Promise<void>((resolve) => {
    get(`http://${listener.address}/`, { agent }, (response) => response.resume().on('end', resolve));
  });

  await listener.close(60_000);

  agent.destroy();
});

test('a request that never ends is cut off when the grace is over', async () => {
  const arrived = Promise.withResolvers<undefined>();
  const listener = await listen(
    () => {
      arrived.resolve(undefined);
    },
    ANY_PORT,
    'GATEWAY_ADDRESS',
  );
  const socket = connect(Number(listener.address.split(':')[1]), '127.0.0.1');
  const cut = once(socket, 'close');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await arrived.promise;

  await listener.close(50);

  await cut;
});

test('connections that never finish their headers are cut off soon after the limit', async () => {
  const limits = { headersMs: 100, requestMs: 200, checkEveryMs: 50 };
  const listener = await listen(() => undefined, ANY_PORT, 'GATEWAY_ADDRESS', limits);
  const port = Number(listener.address.split(':')[1]);
  const beforeNodeLooks = AbortSignal.timeout(NODE_LOOKS_AFTER_MS / 2);

  const cut = Array.from({ length: 5 }, async () => {
    const socket = connect(port, '127.0.0.1').resume();
    socket.write('POST /events HTTP/1.1\r\nHost: x\r\nX-GitHub-');
    await once(socket, 'close', { signal: beforeNodeLooks });
  });

  await Promise.all(cut).finally(() => listener.close(0));
});

test('an address that is taken is a problem of the configuration', async () => {
  const listener = await listen(() => undefined, ANY_PORT, 'GATEWAY_ADDRESS');
  const port = Number(listener.address.split(':')[1]);

  const second = listen(() => undefined, { host: '127.0.0.1', port }, 'GATEWAY_ADDRESS');

  await expect(second).rejects.toMatchObject({
    code: 'CONFIGURATION',
    problems: [
      {
        path: 'GATEWAY_ADDRESS',
        message: expect.stringMatching(/^expected an address to listen on, found 127.0.0.1:\d+ .*EADDRINUSE/),
      },
    ],
  });
  await listener.close(0);
});
