import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { InvalidKeyError, StorageUnavailableError, VersionConflictError } from '../errors.ts';
import { probeStorage, type StorageUse } from '../probe-storage.ts';
import { aFolder, collect, streamOf } from '../testing.ts';
import { CALL_LIMITS } from './call-limits.ts';
import { ABSENT, type ObjectStore } from './object-store.ts';
import { openObjectStore } from './open-object-store.ts';
import { INSTALLS_WITHIN_MS, startClouds, type Clouds } from './testing/clouds.ts';
import { asError, failureOf } from './testing/failure-of.ts';
import { openFaultyWay, type Fault, type FaultyWay } from './testing/faulty-way.ts';

type Name = 's3' | 'gs' | 'az';

let clouds: Clouds;

beforeAll(async () => {
  clouds = await startClouds(await aFolder(), process.env);
}, INSTALLS_WITHIN_MS);

afterAll(() => clouds.stop());

const json = { 'content-type': 'application/json' };
const xml = { 'content-type': 'application/xml' };

/** As each service words it. */
const ANSWERS: Record<Name, Record<'denied' | 'expired' | 'busy', Fault & { kind: 'answer' }>> = {
  s3: {
    denied: ofS3(403, 'AccessDenied'),
    expired: ofS3(400, 'ExpiredToken'),
    busy: ofS3(500, 'InternalError'),
  },
  gs: {
    denied: ofGoogle(403, 'forbidden'),
    expired: ofGoogle(401, 'authError'),
    busy: ofGoogle(429, 'rateLimitExceeded'),
  },
  az: {
    denied: ofAzure(403, 'AuthorizationPermissionMismatch'),
    expired: ofAzure(401, 'InvalidAuthenticationInfo'),
    busy: ofAzure(503, 'ServerBusy'),
  },
};

const BEGINNINGS = { s3: 's3://missing', gs: 'gs://missing', az: 'az://nereid/missing' };
const MISSING = {
  s3: 'expected the bucket missing, found none of this name (NoSuchBucket)',
  gs: 'expected the bucket missing, found none of this name (notFound)',
  az: 'expected the container missing of the account nereid, found none of this name (ContainerNotFound)',
};
const PLACES = { s3: 'the bucket nereid', gs: 'the bucket nereid', az: 'the container nereid of the account nereid' };

const PATIENT = { ...CALL_LIMITS, connectMs: 60_000, pauseMs: 1 };
/** For what never comes. */
const WAITS_FOR_NO_ANSWER = { ...PATIENT, answerMs: 20 };
const WAITS_FOR_NO_PIECE = { ...PATIENT, silenceMs: 200 };

describe.each(['s3', 'gs', 'az'] as const)('a store in the cloud (%s)', (name) => {
  let way: FaultyWay;
  const opened: ObjectStore[] = [];

  beforeEach(async () => {
    way = await openFaultyWay(clouds.endpoints[name]);
  });

  afterEach(async () => {
    for (const store of opened.splice(0)) store.close();
    await way.close();
  });

  async function open(limits = PATIENT, url = `${clouds.urls[name]}/${randomUUID()}`): Promise<ObjectStore> {
    const store = await openObjectStore(
      url,
      clouds.options(() => way.endpoint),
      limits,
    );
    opened.push(store);
    return store;
  }

  test('whose bucket is missing says so, whatever is asked of it', async () => {
    const store = await open(PATIENT, `${BEGINNINGS[name]}/x`);

    for (const [attempt, call] of callsOf(store)) {
      const error = await failureOf(call());
      expect(error).toBeInstanceOf(StorageUnavailableError);
      expect(error.message).toMatch(new RegExp(`^cannot ${attempt} `));
      expect(error.message).toContain(`${MISSING[name]}; create it, or correct the URL of storage`);
    }
  });

  test.each([
    [
      'denied',
      'expected permission to write in PLACE, found a refusal (CODE); give this process the permissions that apps/docs/guides/storage-credentials.md lists',
    ],
    ['expired', 'expected credentials that are valid for PLACE, found expired or unknown ones (CODE); renew them: '],
    ['busy', 'expected the service to do its work, found it too busy or broken (CODE); it may work when tried again'],
  ] as const)('that answers that a call is %s gives its key and what to do', async (answer, sentence) => {
    const store = await open();
    const fault = ANSWERS[name][answer];
    way.always(fault);

    const error = await failureOf(store.put('a/b', Buffer.from('x')));

    expect(error).toMatchObject({ code: 'STORAGE_UNAVAILABLE', key: 'a/b' });
    const code =
      /<Code>(\w+)|"reason":"(\w+)/
        .exec(fault.body ?? '')
        ?.slice(1)
        .find(Boolean) ?? '';
    expect(error.message).toContain(sentence.replace('PLACE', PLACES[name]).replace('CODE', code));
  });

  test('that is busy for a moment is asked again, and three times at most', async () => {
    const store = await open();
    const { busy } = ANSWERS[name];

    way.meet(busy, busy);
    await store.put('a', Buffer.from('x'));
    expect(way.requests()).toHaveLength(3);

    way.always(busy);
    await failureOf(store.get('a'));
    expect(way.requests()).toHaveLength(3);
  });

  test('that does not answer is given up', async () => {
    const store = await open(WAITS_FOR_NO_ANSWER);
    way.always({ kind: 'silence' });

    for (const [, call] of callsOf(store)) {
      const error = await failureOf(call());
      expect(error.message).toMatch(/expected an answer in time, found none \((TimeoutError|ETIMEDOUT)\); it may work/);
    }
  });

  test.each([
    ['falls silent', 'stall', 'expected an answer in time, found none ('],
    ['breaks off', 'cut', 'found a connection that was refused or broke off ('],
  ] as const)('whose stream %s is given up, after what had come', async (_title, kind, sentence) => {
    const url = `${clouds.urls[name]}/${randomUUID()}`;
    const content = Buffer.alloc(1_000_000, 'abc');
    await (await open(PATIENT, url)).put('large', content);
    const store = await open(kind === 'stall' ? WAITS_FOR_NO_PIECE : PATIENT, url);
    way.always({ kind, afterBytes: 100_000 });
    const pieces: Uint8Array[] = [];

    const error = await failureOf(readInto(pieces, store));

    expect(error.message).toContain(sentence);
    const come = Buffer.concat(pieces);
    expect(come.length).toBeLessThan(content.length);
    expect(come.equals(content.subarray(0, come.length))).toBe(true);
  });

  test('whose answer breaks off is asked again, or is unavailable, but no part of an object is taken for it', async () => {
    const store = await open();
    const content = Buffer.alloc(1_000_000, 'abc');
    await store.put('large', content);
    way.meet({ kind: 'cut', afterBytes: 100_000 });

    const read = await store.get('large').catch((error: unknown) => asError(error));

    if (read instanceof Error) expect(read.message).toContain('found a connection that was refused or broke off (');
    else expect(Buffer.from(read?.body ?? []).equals(content)).toBe(true);
  });

  test('whose answer to a conditional write was lost has stored it, and says that there is a conflict', async () => {
    const store = await open();
    way.meet({ kind: 'lost' });

    await expect(store.put('a', Buffer.from('mine'), { ifVersion: ABSENT })).rejects.toThrow(VersionConflictError);

    expect(Buffer.from((await store.get('a'))?.body ?? []).toString()).toBe('mine');
  });

  test('is probed with an object of its own, of which nothing stays', async () => {
    const prefix = `${clouds.urls[name]}/${randomUUID()}`;

    expect(await probe('all', prefix)).toEqual({ kind: 'usable' });

    expect(await collect((await open(PATIENT, prefix)).list(''))).toEqual([]);
  });

  test('is unusable until somebody does something where its bucket is missing or it refuses, and asked once', async () => {
    const missing = { kind: 'unusable', sentence: expect.stringContaining(MISSING[name]), mayPass: false };
    expect(await probe('list', `${BEGINNINGS[name]}/x`)).toEqual(missing);
    way.requests();

    for (const answer of ['denied', 'expired'] as const) {
      way.always(ANSWERS[name][answer]);
      expect(await probe('all')).toMatchObject({ kind: 'unusable', mayPass: false });
    }
    expect(way.requests()).toHaveLength(2);
  });

  test('is unusable for now where it is busy', async () => {
    way.always(ANSWERS[name].busy);

    expect(await probe('read')).toMatchObject({ kind: 'unusable', mayPass: true });
  });

  function probe(use: StorageUse, url = `${clouds.urls[name]}/${randomUUID()}`) {
    return probeStorage(
      url,
      clouds.options(() => way.endpoint),
      use,
    );
  }

  test('where nothing listens is unavailable', async () => {
    await way.close();
    const store = await open();

    const error = await failureOf(store.put('a', Buffer.from('x')));

    // Here, Node's errors are of another realm than the AWS SDK, which then hides them in one of its own.
    if (name === 's3') expect(error).toBeInstanceOf(StorageUnavailableError);
    else expect(error.message).toContain('found a connection that was refused or broke off (ECONNREFUSED)');
    way = await openFaultyWay(clouds.endpoints[name]);
  });

  test('shows no secret in an error, however much of it is printed', async () => {
    const store = await open();
    way.always(ANSWERS[name].denied);

    const error = await failureOf(store.put('a', Buffer.from('the content')));

    const printed = inspect(error, { depth: 20, showHidden: false }) + JSON.stringify(error) + (error.stack ?? '');
    for (const secret of [clouds.accountKey, 'a-secret-of-s3', 'the content']) expect(printed).not.toContain(secret);
    for (const { authorization } of way.requests()) {
      const signature = /[Ss]ignature=(\w+)|SharedKey \w+:(.+)/
        .exec(authorization ?? '')
        ?.slice(1)
        .find(Boolean);
      if (signature !== undefined) expect(printed).not.toContain(signature);
    }
  });
});

test('a bucket in another region is named with its region', async () => {
  const way = await openFaultyWay(clouds.endpoints.s3);
  const store = await openObjectStore(
    clouds.urls.s3,
    clouds.options(() => way.endpoint),
  );
  way.always({ ...ofS3(301, 'PermanentRedirect'), headers: { ...xml, 'x-amz-bucket-region': 'us-east-1' } });

  const error = await failureOf(store.get('a'));

  expect(error.message).toBe(
    'cannot read a: expected the bucket nereid in the configured region, found it in us-east-1 (PermanentRedirect); correct storage.s3.region and storage.s3.endpoint',
  );
  store.close();
  await way.close();
});

test.each(['a.', 'a./b'])('Azure gets no key like %s, which it might take for another', async (key) => {
  const store = await openObjectStore(clouds.urls.az, clouds.options());

  await expect(store.put(key, Buffer.from('x'))).rejects.toThrow(InvalidKeyError);
});

test('an account whose container has folders is refused, because its keys come in another order', async () => {
  const { endpoint, accountKey } = { endpoint: clouds.endpoints.az, accountKey: clouds.accountKey };
  const { ContainerClient, StorageSharedKeyCredential } = await import('@azure/storage-blob');
  const container = new ContainerClient(
    `${endpoint}/nereid/nereid`,
    new StorageSharedKeyCredential('nereid', accountKey),
  );
  await container.getBlockBlobClient('folders/a').upload('', 0, { metadata: { hdi_isfolder: 'true' } });
  const store = await openObjectStore(`${clouds.urls.az}/folders`, clouds.options());

  const error = await failureOf(collect(store.list('')));

  expect(error.message).toContain(
    'found folders (HierarchicalNamespace); use an account without hierarchical namespace',
  );
});

/** Everything that a store can be asked. */
function callsOf(store: ObjectStore): readonly (readonly [attempt: string, call: () => Promise<unknown>])[] {
  return [
    ['read', () => store.get('a')],
    ['read', () => store.getStream('a')],
    ['write', () => store.put('a', Buffer.from('x'))],
    ['write', () => store.put('a', Buffer.from('x'), { ifVersion: ABSENT })],
    ['write', () => store.put('a', Buffer.from('x'), { ifVersion: '1' })],
    ['write', () => store.putStream('a', streamOf('x'))],
    ['write', () => store.putStream('a', streamOf(Buffer.alloc(9_000_000)))],
    ['list', () => collect(store.list('a/'))],
    ['list', () => collect(store.listStamped(''))],
    ['delete', () => store.delete('a')],
  ];
}

async function readInto(pieces: Uint8Array[], store: ObjectStore): Promise<void> {
  for await (const piece of (await store.getStream('large')) ?? []) pieces.push(piece);
}

function ofS3(status: number, code: string) {
  return answer(status, xml, `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
}

function ofGoogle(status: number, reason: string) {
  return answer(status, json, JSON.stringify({ error: { code: status, message: 'no', errors: [{ reason }] } }));
}

function ofAzure(status: number, code: string) {
  return answer(
    status,
    { ...xml, 'x-ms-error-code': code },
    `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`,
  );
}

function answer(status: number, headers: Record<string, string>, body: string) {
  return { kind: 'answer', status, headers, body } as const;
}
