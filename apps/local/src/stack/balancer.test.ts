import { expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { startBalancer } from './balancer.ts';

async function serverThatSays(word: string): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((_request, response) => response.setHeader('connection', 'close').end(word));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  return { server, port: address.port };
}

async function closed({ server }: { readonly server: Server }): Promise<void> {
  await once(server.close(), 'close');
}

test('connections go to all servers in turn, to those that are left when one is gone, and nowhere when all are', async () => {
  const [one, two] = [await serverThatSays('one'), await serverThatSays('two')];
  await using balancer = await startBalancer([one.port, two.port]);
  const ask = async () => (await fetch(`http://127.0.0.1:${balancer.port}`)).text();

  const before = [await ask(), await ask()];
  await closed(one);
  const between = [await ask(), await ask()];
  await closed(two);

  expect(before.toSorted()).toEqual(['one', 'two']);
  expect(between).toEqual(['two', 'two']);
  await expect(ask()).rejects.toThrow('fetch failed');
});
