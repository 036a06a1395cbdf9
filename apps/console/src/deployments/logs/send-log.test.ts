import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import type { LogReader } from '@nereid/storage';
import express from 'express';
import { sendLog } from './send-log.ts';

/** A log that never ends, of which each piece comes a little later. */
const reader: Pick<LogReader, 'read'> = {
  async read(offset) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const bytes = Buffer.from('planned\n');
    return { bytes, nextOffset: offset + bytes.length, isComplete: false };
  },
};

test('a log that is cut off because the console stops does not look whole', async () => {
  const stopping = new AbortController();
  const app = express().get('/', (_request, response) =>
    sendLog(reader, response, { offset: 0, patienceMs: 5_000, signal: stopping.signal }),
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // Of a TCP server that listens.

  const answer = await fetch(`http://127.0.0.1:${port}/`);
  const read = answer.text();
  stopping.abort();

  await expect(read).rejects.toThrow('terminated');
  server.close();
});
