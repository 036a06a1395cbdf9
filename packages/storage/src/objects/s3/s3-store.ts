/**
 * Stores objects in a bucket, below a prefix; an object's version is its ETag. Conditional writes are S3's own
 * (`If-Match`, `If-None-Match`), so writers on many machines exclude each other without a lock.
 */
import { defined } from '@nereid/domain/defined';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { errorName } from '../../error-code.ts';
import { checkKey, checkPrefix, keysOf } from '../object-key.ts';
import {
  ABSENT,
  type ListOptions,
  type ObjectStore,
  type S3Options,
  type StampedKey,
  type StoredObject,
} from '../object-store.ts';
import type { CallLimits } from '../call-limits.ts';
import { orConflict, orFail, type Cloud } from '../cloud-failure.ts';
import type { S3Address } from '../storage-url.ts';
import { readPieces } from '../read-pieces.ts';
import { s3Cloud, statusOf } from './s3-failure.ts';
import { uploadStream } from './s3-upload.ts';

export function createS3Store(address: S3Address, options: S3Options, limits: CallLimits): ObjectStore {
  const { bucket, prefix } = address;
  const client = new S3Client({
    ...clientLimits(limits),
    ...defined({ endpoint: options.endpoint, region: options.region, credentials: options.credentials }),
    // S3 servers other than AWS seldom have a host name for each bucket.
    forcePathStyle: options.pathStyle ?? options.endpoint !== undefined,
  });
  const cloud = s3Cloud(bucket);
  const calls: Calls = {
    client,
    deadline: () => ({ abortSignal: AbortSignal.timeout(limits.callMs) }),
    pageKeys: limits.pageKeys,
  };
  const objectAt = (key: string) => {
    checkKey(key);
    return { Bucket: bucket, Key: `${prefix}${key}` };
  };

  async function* listStamped(
    below: string,
    { after, limit = Infinity }: ListOptions = {},
  ): AsyncGenerator<StampedKey> {
    checkPrefix(below);
    yield* listObjects(calls, cloud, { bucket, prefix, below, after, limit });
  }

  return {
    async get(key) {
      const object = objectAt(key);
      return orFail(cloud, key, 'read', () => readObject(calls, object));
    },

    async put(key, body, { ifVersion } = {}) {
      const object = { ...objectAt(key), Body: body, ...conditionOf(ifVersion) };
      return orFail(cloud, key, 'write', () =>
        orConflict({ key, ifVersion, isConflict }, async () => {
          const { ETag } = await client.send(new PutObjectCommand(object), calls.deadline());
          return versionOf(ETag);
        }),
      );
    },

    list: (below, options) => keysOf(listStamped(below, options)),

    listStamped,

    async delete(key) {
      const object = objectAt(key);
      await orFail(cloud, key, 'delete', () => client.send(new DeleteObjectCommand(object), calls.deadline()));
    },

    async getStream(key) {
      const object = objectAt(key);
      const body = await orFail(cloud, key, 'read', () => openObject(calls, object));
      return body && readPieces(body, (next) => orFail(cloud, key, 'read', next));
    },

    async putStream(key, body) {
      await uploadStream({ ...calls, cloud, key, object: objectAt(key) }, body);
    },

    close: () => {
      client.destroy();
    },
  };
}

export interface Calls {
  readonly client: S3Client;
  /** For one call with all its attempts. */
  readonly deadline: () => { abortSignal: AbortSignal };
  /** Of one listing request. */
  readonly pageKeys: number;
}

function clientLimits({ attempts, connectMs, answerMs, silenceMs }: CallLimits) {
  return {
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      socketTimeout: silenceMs,
    },
  };
}

interface Location {
  readonly Bucket: string;
  readonly Key: string;
}

async function readObject({ client, deadline }: Calls, object: Location): Promise<StoredObject | undefined> {
  const answer = await orAbsent(() => client.send(new GetObjectCommand(object), deadline()));
  if (answer?.Body === undefined) return undefined;
  return { body: await answer.Body.transformToByteArray(), version: versionOf(answer.ETag) };
}

async function openObject(
  { client, deadline }: Calls,
  object: Location,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const answer = await orAbsent(() => client.send(new GetObjectCommand(object), deadline()));
  // On Node the body is a Readable; the SDK's type also names the browser's streams.
  return answer?.Body as AsyncIterable<Uint8Array> | undefined;
}

function conditionOf(ifVersion: string | undefined): { IfMatch?: string; IfNoneMatch?: string } {
  if (ifVersion === undefined) return {};
  return ifVersion === ABSENT ? { IfNoneMatch: '*' } : { IfMatch: ifVersion };
}

/** 412: another version is stored. 404: the expected object does not exist. 409: somebody else is writing right now. */
function isConflict(error: unknown): boolean {
  return [412, 404, 409].includes(statusOf(error)) && !isBucketMissing(error);
}

interface Listing {
  readonly bucket: string;
  readonly prefix: string;
  readonly below: string;
  readonly after: string | undefined;
  readonly limit: number;
}

async function* listObjects({ client, pageKeys }: Calls, cloud: Cloud, listing: Listing): AsyncGenerator<StampedKey> {
  const { bucket, prefix, below, after, limit } = listing;
  if (limit <= 0) return;
  const pages = paginateListObjectsV2(
    { client, pageSize: Math.min(limit, pageKeys) },
    {
      Bucket: bucket,
      Prefix: `${prefix}${below}`,
      ...(after === undefined ? {} : { StartAfter: `${prefix}${after}` }),
    },
  );
  let left = limit;
  for (;;) {
    const page = await orFail(cloud, below, 'list', () => pages.next());
    if (page.done === true) return;
    for (const { Key: key, ETag: etag, LastModified: written } of page.value.Contents ?? []) {
      if (key === undefined) continue;
      yield { key: key.slice(prefix.length), stamp: versionOf(etag), writtenMs: written?.getTime() ?? NaN };
      left -= 1;
      if (left <= 0) return;
    }
  }
}

async function orAbsent<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (statusOf(error) === 404 && !isBucketMissing(error)) return undefined;
    throw error;
  }
}

/** A missing bucket is an error in the configuration, never an absent object. */
function isBucketMissing(error: unknown): boolean {
  return errorName(error) === 'NoSuchBucket';
}

function versionOf(etag: string | undefined): string {
  if (etag === undefined) throw new Error('the S3 server answered without an ETag: conditional writes need one');
  return etag;
}
