import { expect, test } from '@jest/globals';
import { freePort } from '@nereid/test-kit';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { choosePorts, type Ports } from './ports.ts';

test('a port that is taken is replaced by a free one, and that is said', async () => {
  const usual = await somePorts();
  const other = createServer().listen(usual.gateway, '127.0.0.1');
  await once(other, 'listening');
  const said: string[] = [];

  const ports = await choosePorts('usual', (line) => said.push(line), usual);

  other.close();
  const { gateway, secondWorker, metrics } = ports;
  expect(ports).toEqual({ ...usual, gateway, secondWorker, metrics });
  expect(ports.gateway).not.toBe(usual.gateway);
  expect(said).toEqual([`port ${usual.gateway} is taken: the gateway listens on ${ports.gateway}`]);
});

test('free ports are nobody else’s, and nothing is said of them', async () => {
  const said: string[] = [];

  const ports = await choosePorts('free', (line) => said.push(line));

  expect(Object.values(ports)).not.toContain(4143);
  expect(said).toEqual([]);
});

async function somePorts(): Promise<Omit<Ports, 'secondWorker' | 'metrics'>> {
  return {
    temporal: await freePort(),
    temporalUi: await freePort(),
    github: await freePort(),
    gateway: await freePort(),
    worker: await freePort(),
    console: await freePort(),
  };
}
