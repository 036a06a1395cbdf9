import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort, isFreePort } from './free-port.ts';

/** So many that the system's own choice of ports would repeat one. */
const MANY = 500;

test('a port is handed out once: whoever asks twice gets two, also before the first is used', async () => {
  const ports = await manyPorts();

  expect(new Set(ports).size).toBe(MANY);
});

test('a port is none that the system gives to a connection, or to a server that listens on any', async () => {
  const ports = await manyPorts();

  expect(ports.filter((port) => port >= 32_768)).toEqual([]);
});

test('a port is free until somebody listens on it', async () => {
  const port = await freePort();
  await expect(isFreePort(port)).resolves.toBe(true);

  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  await expect(isFreePort(port)).resolves.toBe(false);

  server.close();
});

async function manyPorts(): Promise<readonly number[]> {
  const ports: number[] = [];
  while (ports.length < MANY) ports.push(await freePort());
  return ports;
}
