import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { RepositoryUnreachableError } from '../errors.ts';
import { downloadObject, locateObjects } from './lfs-objects.ts';
import type { LfsRepository } from './lfs-requests.ts';

const CONTENT = 'the content';
const OBJECT = { id: createHash('sha256').update(CONTENT).digest('hex'), bytes: CONTENT.length };
const OURS = 'Basic ours';
const BATCH = '/acme/infra.git/info/lfs/objects/batch';

interface TestServer {
  readonly url: URL;
  /** By path. Other paths are answered with the content. */
  readonly answers: Map<string, (response: ServerResponse) => void>;
  /** Oldest first. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  readonly server: Server;
}

const dir = folderOfEachTest();
let forge: TestServer;
let storage: TestServer;

beforeEach(async () => {
  [forge, storage] = [await startServer(), await startServer()];
});

afterEach(async () => {
  for (const { server } of [forge, storage]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function startServer(): Promise<TestServer> {
  const answers: TestServer['answers'] = new Map();
  const requests: TestServer['requests'] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers });
    const answer = answers.get(path);
    if (answer === undefined) response.end(CONTENT);
    else answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  return { url: new URL(`http://127.0.0.1:${address.port}/`), answers, requests, server };
}

const repository = (): LfsRepository => ({
  path: 'acme/infra',
  gitUrl: forge.url,
  authorization: OURS,
  signal: new AbortController().signal,
});

/** Returns the downloaded text. */
async function download(href: URL, header: Readonly<Record<string, string>> = {}): Promise<string> {
  const file = join(dir, 'file');
  await downloadObject(repository(), OBJECT, { kind: 'there', url: href, headers: header, file });
  return readFile(file, 'utf8');
}

const redirect = (to: string) => (response: ServerResponse) => void response.writeHead(302, { location: to }).end();
const at = (server: TestServer, path: string) => new URL(path, server.url);
const authorizations = ({ requests }: TestServer) => requests.map(({ headers }) => headers.authorization);

describe('our own token', () => {
  test('goes to the server of the repository', async () => {
    expect(await download(at(forge, '/object'))).toBe(CONTENT);

    expect(authorizations(forge)).toEqual([OURS]);
  });

  test('goes nowhere else', async () => {
    await download(at(storage, '/object'));

    expect(authorizations(storage)).toEqual([undefined]);
  });

  test.each(['Authorization', 'authorization'])('makes way for the %s of the answer', async (name) => {
    forge.answers.set(BATCH, (response) => {
      const actions = { download: { href: at(forge, '/object').href, header: { [name]: 'RemoteAuth theirs' } } };
      response.end(JSON.stringify({ objects: [{ oid: OBJECT.id, size: OBJECT.bytes, actions }] }));
    });

    const place = (await locateObjects(repository(), [OBJECT])).get(OBJECT.id);
    if (place?.kind !== 'there') throw new Error('expected a place');
    await download(place.url, place.headers);

    expect(authorizations(forge)).toEqual([OURS, 'RemoteAuth theirs']);
  });
});

describe('a redirect of a download', () => {
  const asked = ({ requests }: TestServer) =>
    requests.map(({ path, headers }) => [path, headers.authorization, headers['x-part']]);

  test('on the same server is followed with the same headers', async () => {
    forge.answers.set('/object', redirect('elsewhere'));

    expect(await download(at(forge, '/object'), { 'x-part': 'one' })).toBe(CONTENT);

    expect(asked(forge)).toEqual([
      ['/object', OURS, 'one'],
      ['/elsewhere', OURS, 'one'],
    ]);
  });

  test('to another server is followed without them, also where it leads on from there', async () => {
    storage.answers.set('/object', redirect(at(forge, '/first').href));
    forge.answers.set('/first', redirect('/second'));
    const headers = { Authorization: 'RemoteAuth theirs', 'x-part': 'one' };

    expect(await download(at(storage, '/object'), headers)).toBe(CONTENT);

    expect(asked(storage)).toEqual([['/object', 'RemoteAuth theirs', 'one']]);
    expect(asked(forge)).toEqual([
      ['/first', undefined, undefined],
      ['/second', undefined, undefined],
    ]);
  });

  test.each<[string, () => string, string]>([
    ['without encryption', () => at(storage, '/object?secret').href, 'a redirect of Git LFS to http://127.0.0.1:'],
    ['to no address', () => 'http://', 'status 302 of Git LFS'],
    ['that goes round in circles', () => '/object', 'more than 5 redirects of Git LFS'],
  ])('a redirect %s is refused', async (_what, target, message) => {
    forge.answers.set('/object', redirect(target()));

    const refused = download(at(forge, '/object'));

    await expect(refused).rejects.toThrow(RepositoryUnreachableError);
    await expect(refused).rejects.toMatchObject({ isRefused: true, message: expect.stringContaining(message) });
    await expect(refused).rejects.not.toThrow('secret');
    expect(storage.requests).toEqual([]);
  });
});

test('a redirect of the question where objects are is not followed', async () => {
  forge.answers.set(BATCH, redirect('/elsewhere'));

  await expect(locateObjects(repository(), [OBJECT])).rejects.toThrow('status 302 of Git LFS');

  expect(forge.requests.map(({ path }) => path)).toEqual([BATCH]);
});
