import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { Response } from 'express';
import { AccessUnknownError } from '../access/access-unknown.ts';
import type { MaySee } from '../access/may-see-changes.ts';
import { openEventStream, untilGone } from '../platform/streams/event-stream.ts';
import { readEvents } from '../platform/streams/testing.ts';
import { createChangeLog } from './change-log.ts';
import type { Change } from './change.ts';
import { PENDING_LIMIT, sendChanges } from './send-changes.ts';

const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

test('each event is decided upon, also later: what a visitor may see can change', async () => {
  let readable = 'network';
  const { url, publish } = await aStream({
    maySee: async (sight) => sight.kind === 'lane' && sight.lane.rootName === readable,
  });
  const events = await readEvents(url);
  await events.next();

  publish([gone('network'), gone('database')]);
  const first = await events.next();
  readable = 'database';
  publish([gone('network'), gone('database')]);

  expect(first?.data).toMatchObject({ rootName: 'network' });
  expect((await events.next())?.data).toMatchObject({ rootName: 'database' });
});

test('while nobody can say what a client may see, it keeps its place, and then gets everything', async () => {
  let isKnown = false;
  const asked = Promise.withResolvers<undefined>();
  const { url, publish, log } = await aStream({
    aliveMs: 5,
    maySee: () => {
      asked.resolve(undefined);
      return isKnown ? true : Promise.reject(new AccessUnknownError('away', 0.001));
    },
  });
  const answer = await fetch(url);
  const text = answer.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let heard = '';
  const until = async (words: string) => {
    while (!heard.includes(words)) heard += (await text?.next())?.value ?? '';
  };
  const before = log.lastId();

  publish([gone('network')]);
  await asked.promise;
  heard = '';
  await until('event: alive');
  await until('event: alive');
  expect(heard).not.toContain(log.lastId());
  expect(heard).toContain(`id: ${before}`);
  publish([gone('database')]);
  isKnown = true;

  await until('"rootName":"database"');
  expect(heard.indexOf('network')).toBeGreaterThan(0);
  await text?.return?.();
});

test('a client that reads nothing is cut off, and the others get everything', async () => {
  const { url, publish, port, cutOffs } = await aStream();
  const slow = connect(port, '127.0.0.1').pause();
  slow.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(slow, 'readable');
  const quick = await readEvents(url);
  await quick.next();

  // More than the buffers of both ends take; what comes then has to wait.
  const large = Array.from({ length: 10 }, () => gone('x'.repeat(100_000)));
  for (let round = 0; round < 20; round += 1) {
    publish(large);
    await readAll(quick, large.length);
  }
  const few = Array.from({ length: 100 }, () => gone('network'));
  while (cutOffs() === 0) {
    publish(few);
    await readAll(quick, few.length);
  }

  slow.resume();
  await once(slow, 'close');
  expect(cutOffs()).toBe(1);
  expect(PENDING_LIMIT).toBeGreaterThan(large.length * 20);
});

test('while nothing changes, a client hears that the connection is there, and where it goes on', async () => {
  const { url, publish, log } = await aStream({ aliveMs: 5, maySee: () => false });
  const answer = await fetch(url);
  const text = answer.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  publish([gone('network')]);

  let heard = '';
  while (!heard.includes(`id: ${log.lastId()}\nevent: alive`)) heard += (await text?.next())?.value ?? '';

  expect(heard).toContain('event: reset');
  expect(heard).not.toContain('network');
  await text?.return?.();
});

interface Given {
  readonly maySee?: MaySee;
  readonly aliveMs?: number;
}

/** A server that streams what is published, to everybody. */
async function aStream({ maySee = () => true, aliveMs }: Given = {}) {
  const log = createChangeLog();
  const stopping = new AbortController();
  let cutOffs = 0;
  const server = createServer((request, answer) => {
    const response = answer as Response; // Streams use what Node's own responses have.
    const signal = untilGone(request as Parameters<typeof untilGone>[0], response, stopping.signal);
    let place: string | undefined;
    const stream = openEventStream(response, { signal, place: () => place, ...(aliveMs !== undefined && { aliveMs }) });
    const cutOff = () => {
      cutOffs += 1;
      stream.cutOff();
    };
    const watch = {
      log,
      follow: (listener: Parameters<typeof log.listen>[0]) => ({
        begun: Promise.resolve(),
        stop: log.listen(listener),
      }),
    };
    const onPlace = (id: string) => (place = id);
    const options = { watch, stream: { ...stream, cutOff }, filter: {}, maySee, isBrief: false, since: undefined };
    void sendChanges({ ...options, onPlace, signal }).finally(() => {
      stream.end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closings.push(() => {
    stopping.abort();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo; // It listens on a port.
  return { url: `http://127.0.0.1:${port}`, port, log, publish: log.publish, cutOffs: () => cutOffs };
}

function gone(rootName: string): Change {
  return { kind: 'lane', lane: { owner: 'acme', name: 'infra', rootName } };
}

async function readAll(stream: { next(): Promise<unknown> }, count: number): Promise<void> {
  for (let read = 0; read < count; read += 1) expect(await stream.next()).toBeDefined();
}
