import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect, createServer, type ConnectionOptions, type Server, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { ensureTemporalCertificates, TEMPORAL_CLIENTS } from './temporal-certificates.ts';

const folder = folderOfEachTest();

describe('a server that asks for the certificates of its clients', () => {
  let server: Server;

  beforeEach(async () => {
    await ensureTemporalCertificates(folder);
    const options = { requestCert: true, rejectUnauthorized: true, ca: await file('temporal-ca.pem') };
    server = createServer({ ...options, ...(await pairOf('temporal')) }, (socket) => socket.end('welcome'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });

  afterEach(() => {
    server.close();
  });

  test.each(TEMPORAL_CLIENTS)('lets %s in, which knows it as temporal', async (name) => {
    const client = await pairOf(`temporal-client-${name}`);

    expect(await answerTo({ ...client, servername: 'temporal' })).toBe('welcome');
  });

  test('lets nobody in without a certificate, or with one of another authority', async () => {
    const other = await mkdtemp(join(folder, 'other-'));
    await ensureTemporalCertificates(other);

    expect(await answerTo({ servername: 'temporal' })).toMatch(/certificate required/);
    expect(await answerTo({ ...(await pairOf('temporal-client-worker', other)), servername: 'temporal' })).toMatch(
      /unknown ca|ECONNRESET|closed/,
    );
  });

  test('is known under no name that it does not have, and a client is no server', async () => {
    const client = await pairOf('temporal-client-worker');

    expect(await answerTo({ ...client, servername: 'elsewhere' })).toMatch(/does not match/);
    server.setSecureContext({ ...(await pairOf('temporal-client-gateway')), ca: await file('temporal-ca.pem') });
    expect(await answerTo({ ...client, servername: 'temporal' })).toMatch(/unsuitable certificate purpose/);
  });

  /** The first words of the server, or why there are none. */
  async function answerTo(options: ConnectionOptions): Promise<string> {
    // The address of a server that listens.
    const { port } = server.address() as AddressInfo;
    const socket: TLSSocket = connect({ host: '127.0.0.1', port, ca: await file('temporal-ca.pem'), ...options });
    return new Promise((resolve) => {
      socket.on('data', (data) => {
        resolve(String(data));
        socket.destroy();
      });
      socket.on('error', (error: Error) => {
        resolve(error.message);
      });
      socket.on('close', () => {
        resolve('closed');
      });
    });
  }
});

test('what is there is left as it is; what lost its key is made again', async () => {
  const first = await ensureTemporalCertificates(folder);
  const before = await file('temporal-client-worker.pem');
  await rm(join(folder, 'temporal-client-gateway-key.pem'));

  const again = await ensureTemporalCertificates(folder);

  expect(first.every(({ isNew }) => isNew)).toBe(true);
  expect(again.filter(({ isNew }) => isNew).map(({ name }) => name)).toEqual(['temporal-client-gateway']);
  expect(await file('temporal-client-worker.pem')).toBe(before);
});

test('a new authority makes new certificates of all: the others are of the old one', async () => {
  await ensureTemporalCertificates(folder);
  for (const name of ['temporal-ca.pem', 'temporal-ca-key.pem']) await rm(join(folder, name));

  const again = await ensureTemporalCertificates(folder);

  expect(again.every(({ isNew }) => isNew)).toBe(true);
});

test('while the key of the authority is elsewhere, all stay, and none can be made', async () => {
  await ensureTemporalCertificates(folder);
  const before = await file('temporal.pem');
  await rm(join(folder, 'temporal-ca-key.pem'));

  const again = await ensureTemporalCertificates(folder);

  expect([again.some(({ isNew }) => isNew), await file('temporal.pem')]).toEqual([false, before]);
  await rm(join(folder, 'temporal.pem'));
  await expect(ensureTemporalCertificates(folder)).rejects.toThrow(
    /^expected temporal-ca-key.pem in .*, to make temporal, found none; put it back/,
  );
});

test('only their owner reads keys', async () => {
  await ensureTemporalCertificates(folder);

  const { mode } = await stat(join(folder, 'temporal-client-worker-key.pem'));

  expect(mode & 0o777).toBe(0o600);
});

function file(name: string, from = folder): Promise<string> {
  return readFile(join(from, name), 'utf8');
}

async function pairOf(name: string, from = folder) {
  return { cert: await file(`${name}.pem`, from), key: await file(`${name}-key.pem`, from) };
}
