import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { openDestination } from '@nereid/notifications';
import { createOutbox, openObjectStore } from '@nereid/storage';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { openReceiver, silence } from '@nereid/test-kit/receiver';
import { deliver } from './delivery/deliver.ts';

const LEASE_MS = 60_000;

const folder = folderOfEachTest();

test('after a kill in the middle of a delivery, another worker goes on with the same notification, in order', async () => {
  const secretFile = join(folder, 'secret');
  await writeFile(secretFile, `whsec_${Buffer.alloc(32, 'a').toString('base64')}`);
  const outbox = createOutbox(await openObjectStore(`file:${folder}/records`));
  const at = new Date().toISOString();
  for (const [n, id] of ['a', 'b'].entries())
    await outbox.keep(
      'ops',
      { version: 1, id, type: 'failed', at, sentence: 's', links: {} },
      new Date(Date.now() + n),
    );
  const receiver = await openReceiver();
  receiver.meet(silence);

  const program = join(import.meta.dirname, 'fixtures/deliver-for-ever.ts');
  const child = spawn(process.execPath, [program, `${folder}/records`, receiver.url, secretFile], { stdio: 'ignore' });
  while (receiver.received().length === 0) await sleep(20);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const target = { kind: 'webhook', url: receiver.url, secretFile } as const;
  const ops = { name: 'ops', target, when: ['failed'], repositories: [], roots: [] } as const;
  const other = (afterMs: number) =>
    deliver(ops, openDestination(ops), {
      ...{ outbox, workerId: 'other', logger: { warn: () => undefined }, signal: new AbortController().signal },
      ...{ onDelivery: () => undefined, onOldest: () => undefined, now: () => Date.now() + afterMs },
    });
  await other(0);
  expect(receiver.received()).toHaveLength(1);
  await other(LEASE_MS);

  expect(receiver.received().map(({ headers }) => headers['webhook-id'])).toEqual(['a', 'a', 'b']);
  expect(await outbox.listWaiting('ops', 1)).toEqual([]);
  await receiver.close();
});
