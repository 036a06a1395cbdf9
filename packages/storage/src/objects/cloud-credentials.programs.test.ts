import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { inspect } from 'node:util';
import { ContainerClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { startAzurite, startFakeGcs, type Azurite, type Emulator } from '@nereid/test-kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aFolder } from '../testing.ts';
import { CALL_LIMITS } from './call-limits.ts';
import { openObjectStore } from './open-object-store.ts';
import { INSTALLS_WITHIN_MS } from './testing/clouds.ts';
import { failureOf } from './testing/failure-of.ts';
import { openFaultyWay, type FaultyWay } from './testing/faulty-way.ts';

const LIMITS = { ...CALL_LIMITS, pauseMs: 1 };

/** Gives tokens, as Google's service for workloads and Azure's on a machine do. */
interface TokenService {
  readonly url: string;
  /** Every question gets this answer from now on. */
  answer(status: number, body: object): void;
  /** Tokens again, and nothing was asked. */
  reset(): void;
  /** The parameters of what was asked. */
  asked(): readonly URLSearchParams[];
  readonly server: Server;
}

let folder: string;
// Azure's library reads once where identities are found.
let tokens: TokenService;

beforeAll(async () => {
  tokens = await openTokenService();
});

afterAll(async () => {
  tokens.server.close();
  tokens.server.closeAllConnections();
  await once(tokens.server, 'close');
});

beforeEach(async () => {
  folder = await aFolder();
  tokens.reset();
});

describe('Google Cloud Storage', () => {
  let gcs: Emulator;
  let way: FaultyWay;

  beforeAll(async () => {
    const logFile = join(await aFolder(), 'fake-gcs.log');
    gcs = await startFakeGcs({ env: process.env, report: () => undefined, logFile });
    await fetch(`${gcs.endpoint}/storage/v1/b`, { method: 'POST', body: JSON.stringify({ name: 'nereid' }) });
  }, INSTALLS_WITHIN_MS);

  afterAll(() => gcs.stop());

  beforeEach(async () => {
    way = await openFaultyWay(gcs.endpoint);
    await writeFile(join(folder, 'subject'), 'the-workloads-own-token');
    process.env['GOOGLE_APPLICATION_CREDENTIALS'] = join(folder, 'credentials.json');
  });

  afterEach(() => way.close());

  const open = () => openObjectStore('gs://nereid/credentials', { gs: { endpoint: way.endpoint } }, LIMITS);

  /** Of a workload that shows its own token to Google, as pods and other clouds do. */
  async function writeCredentials(): Promise<void> {
    const credentials = {
      type: 'external_account',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: tokens.url,
      credential_source: { file: join(folder, 'subject') },
    };
    await writeFile(join(folder, 'credentials.json'), JSON.stringify(credentials));
  }

  test('is shown a token of the workload with every request, asked for once', async () => {
    await writeCredentials();
    const store = await open();

    await store.put('a', Buffer.from('x'));
    await store.get('a');

    expect(way.requests().map(({ authorization }) => authorization)).toEqual(['Bearer token-1', 'Bearer token-1']);
    expect(tokens.asked()).toHaveLength(1);
  });

  test('is shown a new token when it knows the old one no more', async () => {
    await writeCredentials();
    const store = await open();
    way.meet({ kind: 'answer', status: 401 });

    await store.put('a', Buffer.from('x'));

    expect(way.requests().map(({ authorization }) => authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  test('gets nothing when the credentials have expired, and the error shows none of them', async () => {
    await writeCredentials();
    tokens.answer(400, { error: 'invalid_grant', error_description: 'the token has expired' });
    const store = await open();

    const error = await failureOf(store.get('a'));

    expect(error.message).toBe(
      'cannot read a: expected credentials that are valid for the bucket nereid, found expired or unknown ones (CredentialsRejected); renew them: a service account of the machine or the pod, or the file of GOOGLE_APPLICATION_CREDENTIALS',
    );
    expect(inspect(error, { depth: 20 })).not.toContain('the-workloads-own-token');
    expect(way.requests()).toEqual([]);
  });

  test('gets nothing without credentials, until there are some', async () => {
    const store = await open();

    const error = await failureOf(store.get('a'));
    await writeCredentials();

    expect(error.message).toContain(
      'expected credentials for the bucket nereid, found none that can be used (CredentialsMissing); provide a service account',
    );
    await expect(store.put('a', Buffer.from('x'))).resolves.toEqual(expect.any(String));
  });
});

describe('Azure Blob Storage', () => {
  let azurite: Azurite;
  const trusted = getCACertificates('default');

  beforeAll(async () => {
    const logFile = join(await aFolder(), 'azurite.log');
    azurite = await startAzurite({ env: process.env, report: () => undefined, logFile, hasTls: true });
    setDefaultCACertificates([...trusted, azurite.authority ?? '']);
    const key = new StorageSharedKeyCredential(azurite.account, azurite.accountKey);
    await new ContainerClient(`${azurite.endpoint}/${azurite.account}/nereid`, key).create();
  }, INSTALLS_WITHIN_MS);

  afterAll(async () => {
    setDefaultCACertificates(trusted);
    await azurite.stop();
  });

  beforeEach(() => {
    process.env['IDENTITY_ENDPOINT'] = tokens.url;
    process.env['IDENTITY_HEADER'] = 'the-header-of-the-machine';
  });

  /** The library keeps tokens of an identity: each test has another. */
  const open = (clientId?: string) =>
    openObjectStore(
      'az://nereid/nereid/credentials',
      { az: { endpoint: `${azurite.endpoint}/{account}`, ...(clientId !== undefined && { clientId }) } },
      LIMITS,
    );

  test("takes a token of the machine's identity for storage, asked for once", async () => {
    const store = await open('11111111-0000-4000-8000-000000000001');

    const version = await store.put('a', Buffer.from('x'));

    expect(await store.get('a')).toMatchObject({ version });
    expect(tokens.asked().map((query) => [query.get('resource'), query.get('client_id')])).toEqual([
      ['https://storage.azure.com', '11111111-0000-4000-8000-000000000001'],
    ]);
  });

  test('gets nothing when the token has expired', async () => {
    tokens.answer(200, azureToken(-3_600));
    const store = await open('22222222-0000-4000-8000-000000000002');

    const error = await failureOf(store.get('a'));

    expect(error.message).toContain(
      'expected credentials that are valid for the container nereid of the account nereid, found expired or unknown ones (',
    );
  });

  test('gets nothing when the machine has no identity, and the error shows no secret', async () => {
    tokens.answer(400, { error: 'invalid_request', error_description: 'Identity not found' });
    const store = await open();

    const error = await failureOf(store.get('a'));

    expect(error.message).toContain(
      'expected credentials for the container nereid of the account nereid, found none that can be used (',
    );
    expect(error.message).toContain('; provide an identity of the workload or the machine, or AZURE_STORAGE_KEY');
    expect(inspect(error, { depth: 20 })).not.toContain('the-header-of-the-machine');
  });
});

async function openTokenService(): Promise<TokenService> {
  let number = 0;
  let fixed: { readonly status: number; readonly body: object } | undefined;
  let asked: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const { searchParams: query } = new URL(request.url ?? '', 'http://tokens.invalid');
    asked.push(query);
    number += 1;
    const google = {
      access_token: `token-${number}`,
      issued_token_type: 'any',
      token_type: 'Bearer',
      expires_in: 3_600,
    };
    const { status, body } = fixed ?? { status: 200, body: query.has('resource') ? azureToken(3_600) : google };
    request.resume().once('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // Of TCP, because that is what it listens on.
  return {
    url: `http://127.0.0.1:${port}/token`,
    answer: (status, body) => {
      fixed = { status, body };
    },
    reset: () => {
      number = 0;
      fixed = undefined;
      asked = [];
    },
    asked: () => asked,
    server,
  };
}

/** As Entra ID words it; the emulator checks everything but the signature. */
function azureToken(seconds: number): object {
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    aud: 'https://storage.azure.com',
    iss: 'https://sts.windows.net/00000000-0000-4000-8000-000000000001/',
    iat: now - 7_200,
    nbf: now - 7_200,
    exp: now + seconds,
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    access_token: `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.${part({})}`,
    expires_on: String(now + 3_600),
    resource: 'https://storage.azure.com',
    token_type: 'Bearer',
  };
}
