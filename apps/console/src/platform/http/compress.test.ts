/** What a browser loads of a page: how much, how often, and what is compressed. */
import { request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { CLIENT_HEADER } from '@nereid/api';
import { createCsrf } from '../../login/visitor/csrf.ts';
import type { KnownVisitor } from '../../login/visitor/visitor.ts';
import { aConsole, aLaneRecord, RUNNING } from '../../testing.ts';

const COMPRESSED = { 'accept-encoding': 'gzip, br' };

describe('the files of a page', () => {
  test('are kept by a browser for good, under an address of their own content, and come compressed', async () => {
    const { url } = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    const addresses = loadedBy((await ask(`${url}/lanes/acme/infra/network`)).text, '/lanes/acme/infra/network');

    const found = await Promise.all(addresses.map((address) => ask(url + address, COMPRESSED)));

    expect(addresses.length).toBeGreaterThan(10);
    for (const { status, headers } of found) {
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect(headers['vary']).toBe('Accept-Encoding');
    }
    const script = found.find(({ headers }) => headers['content-encoding'] !== undefined);
    expect(script?.headers['content-encoding']).toMatch(/^(?:br|gzip)$/);
  });

  test('are all told to the browser at once, none by the file that needs it', async () => {
    const { url } = await aConsole({ isLocal: true });
    const addresses = loadedBy((await ask(`${url}/lanes`)).text, '/lanes');
    const scripts = await Promise.all(addresses.filter((at) => at.endsWith('.js')).map((at) => ask(url + at)));

    const imported = scripts.flatMap(({ text }) =>
      Array.from(text.matchAll(/from '\.\/([\w-]+\.js)'/g), ([, name]) => name),
    );

    expect(imported.length).toBeGreaterThan(5);
    for (const name of imported) expect(addresses.some((at) => at.endsWith(`/${name ?? ''}`))).toBe(true);
  });

  test.each(['/assets/console.css', '/assets/0123456789ab/console.js'])(
    'are not kept where the address is of another release: %s',
    async (path) => {
      const { get } = await aConsole();

      const { status, headers } = await get(path);

      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    },
  );

  test('that are not there are not kept either', async () => {
    const { url, get } = await aConsole({ isLocal: true });
    const [style = ''] = loadedBy((await ask(`${url}/lanes`)).text, '/lanes');

    const { status, headers } = await get(style.replace(/[\w-]+\.css$/, 'none.css'));

    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
  });
});

describe('a page', () => {
  test('of two hundred lanes weighs less than 100 KB with all that it loads', async () => {
    const { url, lanes } = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    for (let index = 0; index < 200; index += 1)
      await lanes.write({ ...aLaneRecord({ running: RUNNING }), rootName: `root-${index}` }, null);

    const page = await ask(`${url}/lanes`, COMPRESSED);
    const files = await Promise.all(
      loadedBy((await ask(`${url}/lanes`)).text, '/lanes').map((at) => ask(url + at, COMPRESSED)),
    );

    const bytes = [page, ...files].reduce((sum, { size }) => sum + size, 0);
    expect(page.headers['content-encoding']).toMatch(/^(?:br|gzip)$/);
    expect(bytes).toBeLessThan(100_000);
  });

  test('is not compressed where somebody else may have chosen what it shows: with a query', async () => {
    const { url, lanes } = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    for (const rootName of ['a', 'b', 'c']) await lanes.write({ ...aLaneRecord({ running: RUNNING }), rootName }, null);

    const [page, list, asProgram] = await Promise.all([
      ask(`${url}/lanes?text=guess`, COMPRESSED),
      ask(`${url}/api/v1/lanes?text=infra`, COMPRESSED),
      ask(`${url}/api/v1/lanes?limit=100`, { ...COMPRESSED, [CLIENT_HEADER]: 'nereid' }),
    ]);

    expect([page, list].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, undefined]);
    expect(asProgram.headers['content-encoding']).toBeDefined();
  });
});

test('the word of a form looks different in each answer, and each counts, for its person alone', () => {
  const csrf = createCsrf(Buffer.alloc(32, 7));
  const visitor = (login: string): KnownVisitor => {
    return { kind: 'person', person: { login }, proof: { mode: 'local' }, by: 'browser' };
  };
  const alice = visitor('alice');

  const words = [csrf.tokenFor(alice), csrf.tokenFor(alice)];

  expect(words[0]).not.toBe(words[1]);
  expect(words.map((word) => csrf.isTokenOf(alice, word))).toEqual([true, true]);
  for (const other of [words[0]?.slice(1), `A${words[0]?.slice(1) ?? ''}`, '', undefined, 'A'.repeat(86)])
    expect(other === words[0] || csrf.isTokenOf(alice, other)).toBe(other === words[0]);
  expect(csrf.isTokenOf(visitor('bob'), words[0])).toBe(false);
});

/** The addresses of scripts and styles, from the top. */
function loadedBy(page: string, path: string): readonly string[] {
  return Array.from(
    page.matchAll(/(?:href|src)="(?<at>(?:\.\.\/)*assets\/[^"]+)"/g),
    ({ groups }) => new URL(groups?.['at'] ?? '', `http://console${path}`).pathname,
  );
}

interface Asked {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  /** Bytes of the body, as they were sent. */
  readonly size: number;
  readonly text: string;
}

/** Unlike `fetch`, it takes nothing off the answer. */
function ask(address: string, headers: Record<string, string> = {}): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const asked = request(address, { headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => {
        const body = Buffer.concat(pieces);
        resolve({ status: answer.statusCode, headers: answer.headers, size: body.length, text: body.toString() });
      });
    });
    asked.on('error', reject);
    asked.end();
  });
}
