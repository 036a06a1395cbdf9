import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { downloadObject, locateObjects, type LfsRepository } from './lfs-objects.ts';

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

let dir: string;
let forge: TestServer;
let storage: TestServer;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'nereid-lfs-'));
  [forge, storage] = [await startServer(), await startServer()];
});

afterEach(async () => {
  for (const { server } of [forge, storage]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  await rm(dir, { recursive: true });
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
