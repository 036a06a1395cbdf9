/**
 * Stores objects in a container of Azure Blob Storage, below a prefix; an object's version is its ETag. Conditional writes are
 * Azure's own (`If-Match`, `If-None-Match`), so writers on many machines exclude each other without a lock.
 */
import { ContainerClient, StorageResponseFormat, type BlobItem } from '@azure/storage-blob';
import { errorCode } from '../../error-code.ts';
import { InvalidKeyError } from '../../errors.ts';
import { attemptCall, inTime } from '../attempts.ts';
import type { CallLimits } from '../call-limits.ts';
import { isPassing, orConflict, orFail } from '../cloud-failure.ts';
import { checkKey, checkPrefix, keysOf } from '../object-key.ts';
import { ABSENT, type AzOptions, type ListOptions, type ObjectStore, type StampedKey } from '../object-store.ts';
import { readPieces } from '../read-pieces.ts';
import type { AzAddress } from '../storage-url.ts';
import { watchSource } from '../watched-source.ts';
import { azCredential } from './az-credentials.ts';
import { azCloud, HierarchicalNamespaceError } from './az-failure.ts';
import { uploadStream } from './az-upload.ts';

const ENDPOINT = 'https://{account}.blob.core.windows.net';

export async function createAzStore(address: AzAddress, options: AzOptions, limits: CallLimits): Promise<ObjectStore> {
  const { account, container: name, prefix } = address;
  const cloud = azCloud(account, name);
  const url = `${(options.endpoint ?? ENDPOINT).replace('{account}', account).replace(/\/+$/, '')}/${name}`;
  // Attempts are ours: the library's own know no limit of time.
  const container = new ContainerClient(url, await azCredential(account, options), { retryOptions: { maxTries: 1 } });
  const blobAt = (key: string) => {
    checkKey(key);
    if (/\.(?:\/|$)/.test(key)) throw new InvalidKeyError(key, 'Azure takes no part of a name that ends with a dot');
    return container.getBlockBlobClient(`${prefix}${key}`);
  };

  function call<T>(work: (abortSignal: AbortSignal, controller: AbortController) => Promise<T>): Promise<T> {
    return attemptCall(
      limits,
      (error) => isPassing(cloud, error),
      (controller) => work(controller.signal, controller),
    );
  }

  async function* listObjects(
    below: string,
    { after = '', limit = Infinity }: ListOptions,
  ): AsyncGenerator<StampedKey> {
    checkPrefix(below);
    let left = limit;
    let token: string | undefined = '';
    while (token !== undefined && left > 0) {
      const page = await orFail(cloud, below, 'list', () => listPage(below, after, token));
      for (const { name: found, properties } of page.items) {
        const key = found.slice(prefix.length);
        if (key <= after) continue;
        yield { key, stamp: properties.etag, writtenMs: properties.lastModified.getTime() };
        left -= 1;
        if (left <= 0) return;
      }
      token = page.next;
    }
  }

  function listPage(below: string, after: string, token = ''): Promise<Page> {
    return call(async (abortSignal) => {
      const listing = container.listBlobsFlat({
        abortSignal,
        prefix: `${prefix}${below}`,
        // The start is part of the list.
        ...(after !== '' && { startFrom: `${prefix}${after}` }),
        // Folders are known by it.
        includeMetadata: true,
        // The library would be free to choose another, which needs one more library.
        responseFormat: StorageResponseFormat.Xml,
      });
      const pages = listing.byPage({
        maxPageSize: limits.pageKeys,
        ...(token !== '' && { continuationToken: token }),
      });
      // A page may be empty before the end.
      const page = await pages.next();
      if (page.done === true) return { items: [], next: undefined };
      const { segment, continuationToken = '' } = page.value;
      if (segment.blobItems.some(isFolder)) throw new HierarchicalNamespaceError();
      return { items: segment.blobItems, next: continuationToken === '' ? undefined : continuationToken };
    });
  }

  return {
    async get(key) {
      const blob = blobAt(key);
      return orFail(cloud, key, 'read', () =>
        orAbsent(() =>
          call(async (abortSignal) => {
            const { readableStreamBody, etag } = await blob.download(0, undefined, { abortSignal });
            return {
              body: Buffer.concat(await Array.fromAsync(bytesOf(readableStreamBody))),
              version: versionOf(etag),
            };
          }),
        ),
      );
    },

    async put(key, body, { ifVersion } = {}) {
      const blob = blobAt(key);
      const conditions = conditionOf(ifVersion);
      return orFail(cloud, key, 'write', () =>
        orConflict({ key, ifVersion, isConflict }, async () => {
          const { etag } = await call((abortSignal) => blob.upload(body, body.length, { abortSignal, conditions }));
          return versionOf(etag);
        }),
      );
    },

    list: (below, options = {}) => keysOf(listObjects(below, options)),

    listStamped: (below, options = {}) => listObjects(below, options),

    async delete(key) {
      const blob = blobAt(key);
      await orFail(cloud, key, 'delete', () => orAbsent(() => call((abortSignal) => blob.delete({ abortSignal }))));
    },

    async getStream(key) {
      const blob = blobAt(key);
      const opened = await orFail(cloud, key, 'read', () =>
        orAbsent(() =>
          call(async (abortSignal, controller) => {
            const { readableStreamBody } = await blob.download(0, undefined, { abortSignal });
            return { body: bytesOf(readableStreamBody), controller };
          }),
        ),
      );
      if (!opened) return undefined;
      const { body, controller } = opened;
      return readPieces(body, (next) => orFail(cloud, key, 'read', () => inTime(controller, limits.silenceMs, next)));
    },

    async putStream(key, body) {
      const blob = blobAt(key);
      const source = watchSource(body);
      try {
        await orFail(cloud, key, 'write', () => uploadStream({ blob, call }, source.pieces()));
      } catch (error) {
        throw source.failure() ?? error;
      }
    },

    // The library keeps connections for a few seconds, and no process from its end.
    close: () => undefined,
  };
}

interface Page {
  readonly items: readonly BlobItem[];
  readonly next: string | undefined;
}

async function orAbsent<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (errorCode(error) === 'BlobNotFound') return undefined;
    throw error;
  }
}

function conditionOf(ifVersion: string | undefined): { ifMatch?: string; ifNoneMatch?: string } {
  if (ifVersion === undefined) return {};
  return ifVersion === ABSENT ? { ifNoneMatch: '*' } : { ifMatch: ifVersion };
}

/** Another version is stored; there is one already; there is none. */
function isConflict(error: unknown): boolean {
  return ['ConditionNotMet', 'BlobAlreadyExists', 'BlobNotFound'].includes(errorCode(error));
}

function isFolder({ metadata }: BlobItem): boolean {
  return metadata?.['hdi_isfolder'] === 'true';
}

/** On Node the body is a Readable of bytes; the library's type also names the browser's streams. */
function bytesOf(body: unknown): AsyncIterable<Uint8Array> {
  return body as AsyncIterable<Uint8Array>;
}

function versionOf(etag: string | undefined): string {
  if (etag === undefined) throw new Error('the service answered without an ETag: conditional writes need one');
  return etag;
}
