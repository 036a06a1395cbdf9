import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ActivityEntry, ActivityList } from '@nereid/api';
import express from 'express';
import { AWAY } from '../platform/http/lists.ts';
import { untilGone } from '../platform/streams/event-stream.ts';
import { EXPORT_FORMATS } from './export-activity.ts';
import { sendExport, type Export } from './send-export.ts';

const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

describe.each(EXPORT_FORMATS)('a file of %s', (format) => {
  test('that is the whole ends as files do', async () => {
    const { text, isWhole } = await download(await served({ format, first: page(1, 'a'), more: () => pages(page(2)) }));

    expect([text.match(/e1|e2/g), text.includes('INCOMPLETE'), isWhole]).toEqual([['e1', 'e2'], false, true]);
  });

  test('that would be too long breaks off after a line that says so, and where it goes on', async () => {
    const address = await served({ format, first: page(1, 'a'), more: () => pages(page(2, 'b')), limit: 2 });

    const { text, isWhole } = await download(address);

    expect(isWhole).toBe(false);
    expect(text.trimEnd().split('\n').at(-1)).toMatch(/INCOMPLETE.*THIS FILE IS INCOMPLETE: .*after 2.*cursor=b/);
  });

  test.each([
    ['fails', () => pages(AWAY)],
    ['lacks a day', () => pages({ ...page(2), missing: ['2026-11-20'] })],
  ])('breaks off where storage %s, and has nothing of what comes then', async (_how, more) => {
    const { text, isWhole } = await download(await served({ format, first: page(1, 'a'), more }));

    expect([text.includes('e2'), isWhole]).toEqual([false, false]);
    expect(text).toMatch(/INCOMPLETE.*storage does not answer.*cursor=a/);
  });
});

test('nobody reads ahead of a client that is slow', async () => {
  let asked = 0;
  const more = () => {
    asked += 1;
    return pages(page(asked + 1, 'again', 'x'.repeat(1_000_000)));
  };
  const address = await served({ format: 'jsonl', first: page(1, 'again'), more, limit: 200 });

  const body = (await fetch(address)).body?.getReader();
  const first = await body?.read();
  // What the kernel and the client hold of it, far from all.
  const askedAtFirst = asked;
  await body?.cancel();

  expect(first?.done).toBe(false);
  expect(askedAtFirst).toBeLessThan(100);
});

async function served(file: Omit<Export, 'signal'>): Promise<string> {
  const app = express();
  app.get('/', (request, response) =>
    sendExport(response, { ...file, signal: untilGone(request, response, new AbortController().signal) }),
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  closings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  return `http://127.0.0.1:${address.port}/`;
}

async function download(address: string): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const { body } = await fetch(address);
  let text = '';
  try {
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) text += piece;
    return { text, isWhole: true };
  } catch {
    return { text, isWhole: false };
  }
}

function pages<T>(value: T): Promise<T> {
  return Promise.resolve(value);
}

function page(number: number, next?: string, sentence = ''): ActivityList {
  const at = '2026-11-22T10:00:00.000Z';
  const item: ActivityEntry = { id: `e${number}`, at, state: 'SUCCESS', action: 'apply', sentence };
  return { items: [item], ...(next !== undefined && { next }), missing: [] };
}
