import { expect, test } from '@jest/globals';
import { createTestAuthority, freePort, startTlsFront } from '@nereid/test-kit';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { pino } from 'pino';
import { openWithTemporal } from './open-with-temporal.ts';

const logger = pino({ level: 'silent' });

const environment = environmentOfThisFile();

test('nothing is opened with a Temporal that is unfit', async () => {
  const process = aProcess();

  await expect(openWithTemporal(at(environment.address, 'nowhere'), logger, process.open)).rejects.toMatchObject({
    code: 'CONFIGURATION',
    problems: [{ path: 'TEMPORAL_NAMESPACE' }],
  });

  expect(process.done).toEqual([]);
});

test('a process is opened with a Temporal that is fit, and with one that is away', async () => {
  const process = aProcess();

  const beside = await openWithTemporal(at(environment.address, environment.namespace), logger, process.open);
  const without = await openWithTemporal(at(`127.0.0.1:${await freePort()}`, 'nowhere'), logger, process.open);
  await beside.close();
  await without.close();

  expect(process.done).toEqual(['opened', 'opened', 'closed', 'closed']);
});

test('a process breaks when its Temporal is back and unfit, so that the next one is refused', async () => {
  const authority = await createTestAuthority();
  const port = await freePort();
  const tls = { serverRootCACertificate: Buffer.from(authority.certificate) };
  const temporal = at(`localhost:${port}`, 'nowhere', tls);

  const running = await openWithTemporal(temporal, logger, aProcess().open);
  await using back = await startTlsFront({ target: environment.address, ...(await authority.issue()), port });

  expect(back.port).toBe(port);
  expect(await running.broken).toMatchObject({ problems: [{ path: 'TEMPORAL_NAMESPACE' }] });
  await running.close();
});

function at(address: string, namespace: string, tls?: { serverRootCACertificate: Buffer }) {
  const server = { address, ...(tls && { tls }) };
  return { namespace, server, connection: server };
}

function aProcess() {
  const done: string[] = [];
  return {
    done,
    open: async () => {
      done.push('opened');
      return { logger, close: async () => void done.push('closed') };
    },
  };
}
