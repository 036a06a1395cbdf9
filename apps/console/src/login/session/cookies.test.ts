import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import express from 'express';
import { clearCookie, COOKIE_LIMIT, readCookie, setCookie } from './cookies.ts';

let server: Server;
let url: string;
let text: string;

beforeEach(async () => {
  const app = express();
  app.get('/set', (_request, response) => {
    setCookie(response, 'x', text, 60_000);
    response.end();
  });
  app.get('/clear', (_request, response) => {
    clearCookie(response, 'x');
    response.end();
  });
  app.get('/read', (request, response) => void response.json([readCookie(request, 'x') ?? null]));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? String(address?.port) : ''}`;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

test.each([1, 3_800, 3_801, COOKIE_LIMIT])(
  'a text of %d characters comes back as it was, in parts that browsers keep',
  async (length) => {
    text = 'a'.repeat(length - 1) + 'b';

    const lines = await linesOf('/set');

    expect(lines).toHaveLength(Math.ceil(length / 3_800));
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(4_096);
    expect(await read(lines)).toEqual([text]);
  },
);

test('a shorter text leaves no part of a longer one behind', async () => {
  text = 'a'.repeat(8_000);
  const long = await linesOf('/set');
  text = 'b';

  const lines = await linesOf('/set', cookieOf(long));

  expect(lines.filter((line) => line.includes('Expires=Thu, 01 Jan 1970'))).toHaveLength(2);
});

test('a part that is missing makes no other text', async () => {
  text = 'a'.repeat(3_800) + 'b'.repeat(3_800) + 'c';
  const lines = await linesOf('/set');

  expect(await read([lines[0] ?? '', lines[2] ?? ''])).toEqual(['a'.repeat(3_800)]);
  expect(await read(lines.slice(1))).toEqual([null]);
});

test('what is cleared is gone in all its parts', async () => {
  text = 'a'.repeat(8_000);
  const lines = await linesOf('/set');

  expect(await linesOf('/clear', cookieOf(lines))).toHaveLength(3);
});

async function linesOf(path: string, cookie = ''): Promise<readonly string[]> {
  return (await fetch(url + path, { headers: { cookie } })).headers.getSetCookie();
}

async function read(lines: readonly string[]): Promise<unknown> {
  return (await fetch(`${url}/read`, { headers: { cookie: cookieOf(lines) } })).json();
}

function cookieOf(lines: readonly string[]): string {
  return lines.map((line) => line.split(';')[0]).join('; ');
}
