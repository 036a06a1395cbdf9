import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { probeReachable } from './probe-reachable.ts';
import { terraformSettings, type TerraformSettings } from '../testing/terraform-settings.ts';
import { targetsOf } from './targets.ts';

let server: Server;
let warned: object[];
let registry: Registry;
/** Listens on this machine. */
let port: number;
/** Nobody listens on it any more. */
let closedPort: number;

beforeEach(async () => {
  [warned, registry] = [[], new Registry()];
  const gone = await listening();
  closedPort = portOf(gone);
  gone.close();
  await once(gone, 'close');
  server = await listening();
  port = portOf(server);
});

afterEach(() => {
  server.close();
});

async function listening(): Promise<Server> {
  const started = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(started, 'listening');
  return started;
}

function portOf(listener: Server): number {
  return (listener.address() as AddressInfo).port; // It listens on TCP.
}

function probe(changes: Partial<TerraformSettings> = {}) {
  const terraform = terraformSettings(changes);
  const context = {
    server: { current: () => ({ terraform }) },
    environment: { PATH: process.env['PATH'] },
    logger: { warn: (fields: object) => warned.push(fields) },
    metrics: { registry },
  };
  return probeReachable(context, [
    { name: 'temporal', host: '127.0.0.1', port },
    { name: 'console', host: '127.0.0.1', port: closedPort },
  ]);
}

async function measured(): Promise<string> {
  return registry.metrics();
}

test.each(['bubblewrap', 'none'] as const)(
  'with the sandbox "%s", what answers is warned of and measured',
  async (sandbox) => {
    await probe({ sandbox });

    expect(warned).toEqual([{ target: 'temporal', host: '127.0.0.1', port }]);
    expect(await measured()).toContain('nereid_sandbox_reaches{target="temporal"} 1');
    expect(await measured()).toContain('nereid_sandbox_reaches{target="console"} 0');
  },
);

test('without a network, nothing answers: a worker that refuses starts', async () => {
  await probe({ network: 'none', reachable: 'refuse' });

  expect(warned).toEqual([]);
  expect(await measured()).toContain('nereid_sandbox_reaches{target="temporal"} 0');
});

test('a worker that refuses does not start where something answers, and says what and what to do', async () => {
  await expect(probe({ reachable: 'refuse' })).rejects.toThrow(
    `terraform.reachable: expected that the code of repositories cannot reach Temporal, the console or metadata services, found that these answer in a sandbox: temporal (127.0.0.1:${port}); block them`,
  );
});

test('turned off, nobody looks', async () => {
  await probe({ reachable: 'off' });

  expect(warned).toEqual([]);
  expect(await measured()).not.toContain('nereid_sandbox_reaches');
});

describe('a look that fails', () => {
  const ENVIRONMENT = { sandboxRead: ['/nowhere/at/all'] };

  test('is warned of', async () => {
    await probe(ENVIRONMENT);

    expect(warned).toMatchObject([
      { err: { message: expect.stringMatching(/found .*: bwrap: Can't find source path/) } },
    ]);
  });

  test('keeps a worker that refuses from starting', async () => {
    await expect(probe({ ...ENVIRONMENT, reachable: 'refuse' })).rejects.toThrow('cannot be found out');
  });
});

test('the targets are Temporal, the console, and where clouds hand out credentials', () => {
  const targets = targetsOf({
    temporal: { server: { address: '[::1]:7233' } },
    links: { consoleUrl: 'https://console.example/nereid' },
  } as Parameters<typeof targetsOf>[0]); // Only the addresses are read.

  expect(targets.map(({ name, host, port: at }) => `${name} ${host} ${at}`)).toEqual([
    'temporal ::1 7233',
    'console console.example 443',
    'metadata 169.254.169.254 80',
    'metadata-google metadata.google.internal 80',
    'metadata-ipv6 fd00:ec2::254 80',
  ]);
});
