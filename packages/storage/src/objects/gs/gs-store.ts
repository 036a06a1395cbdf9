/**
 * Stores objects in a bucket of Google Cloud Storage, below a prefix; an object's version is its generation. Conditional
 * writes are Google's own (`ifGenerationMatch`), so writers on many machines exclude each other without a lock.
 */
import { inTime } from '../attempts.ts';
import type { CallLimits } from '../call-limits.ts';
import { orConflict, orFail } from '../cloud-failure.ts';
import { checkKey, checkPrefix, keysOf } from '../object-key.ts';
import { ABSENT, type GsOptions, type ListOptions, type ObjectStore, type StampedKey } from '../object-store.ts';
import { readPieces } from '../read-pieces.ts';
import type { GsAddress } from '../storage-url.ts';
import { watchSource } from '../watched-source.ts';
import { createGsClient } from './gs-client.ts';
import { gsCloud, GsAnswerError } from './gs-failure.ts';
import { uploadStream, uploadWhole } from './gs-upload.ts';

/** The generation of an object that does not exist. */
const NO_GENERATION = '0';

export function createGsStore({ bucket, prefix }: GsAddress, options: GsOptions, limits: CallLimits): ObjectStore {
  const cloud = gsCloud(bucket);
  const client = createGsClient(cloud, options, limits);
  const objects = `/storage/v1/b/${bucket}/o`;
  const pathOf = (key: string) => {
    checkKey(key);
    return `${objects}/${encodeURIComponent(`${prefix}${key}`)}`;
  };
  const uploadOf = (key: string) => {
    checkKey(key);
    return { client, path: `/upload${objects}`, name: `${prefix}${key}` };
  };

  async function orAbsent<T>(call: () => Promise<T>): Promise<T | undefined> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof GsAnswerError) || error.status !== 404) throw error;
      // A missing bucket is an error in the configuration, never an absent object, and the status is the same.
      if (!error.message.includes('No such object')) await listPage({ maxResults: '1' });
      return undefined;
    }
  }

  function listPage(query: Readonly<Record<string, string>>): Promise<Page> {
    const request = { path: objects, query: { ...query, fields: 'items(name,generation,updated),nextPageToken' } };
    return client.call(request, async (response) => (await response.json()) as Page); // As Google describes it.
  }

  async function* listObjects(
    below: string,
    { after = '', limit = Infinity }: ListOptions,
  ): AsyncGenerator<StampedKey> {
    checkPrefix(below);
    let left = limit;
    let token: string | undefined = '';
    while (token !== undefined && left > 0) {
      // Google's start is part of the list, ours is not.
      const maxResults = String(Math.min(left + 1, limits.pageKeys));
      const query: Record<string, string> = {
        ...{ prefix: `${prefix}${below}`, maxResults },
        ...(after !== '' && { startOffset: `${prefix}${after}` }),
        ...(token !== '' && { pageToken: token }),
      };
      const page: Page = await orFail(cloud, below, 'list', () => listPage(query));
      for (const { name, generation, updated } of page.items ?? []) {
        const key = name.slice(prefix.length);
        if (key <= after) continue;
        yield { key, stamp: generation, writtenMs: Date.parse(updated) };
        left -= 1;
        if (left <= 0) return;
      }
      token = page.nextPageToken;
    }
  }

  return {
    async get(key) {
      const path = pathOf(key);
      return orFail(cloud, key, 'read', () =>
        orAbsent(() =>
          client.call({ path, query: { alt: 'media' } }, async (response) => ({
            body: Buffer.from(await response.arrayBuffer()),
            version: generationOf(response),
          })),
        ),
      );
    },

    async put(key, body, { ifVersion } = {}) {
      const upload = uploadOf(key);
      const ifGeneration = ifVersion === ABSENT ? NO_GENERATION : ifVersion;
      return orFail(cloud, key, 'write', () =>
        orConflict({ key, ifVersion, isConflict }, () => uploadWhole(upload, body, ifGeneration)),
      );
    },

    list: (below, options = {}) => keysOf(listObjects(below, options)),

    listStamped: (below, options = {}) => listObjects(below, options),

    async delete(key) {
      const path = pathOf(key);
      await orFail(cloud, key, 'delete', () =>
        orAbsent(() => client.call({ method: 'DELETE', path }, (response) => response.arrayBuffer())),
      );
    },

    async getStream(key) {
      const path = pathOf(key);
      const opened = await orFail(cloud, key, 'read', () =>
        orAbsent(() =>
          client.call({ path, query: { alt: 'media' } }, (response, controller) =>
            Promise.resolve({ body: response.body, controller }),
          ),
        ),
      );
      if (opened?.body == null) return undefined;
      const { body, controller } = opened;
      return readPieces(body, (next) => orFail(cloud, key, 'read', () => inTime(controller, limits.silenceMs, next)));
    },

    async putStream(key, body) {
      const upload = uploadOf(key);
      const source = watchSource(body);
      try {
        await orFail(cloud, key, 'write', () => uploadStream(upload, source.pieces()));
      } catch (error) {
        throw source.failure() ?? error;
      }
    },

    // Fetch keeps connections for a few seconds, and no process from its end.
    close: () => undefined,
  };
}

interface Page {
  readonly items?: readonly { readonly name: string; readonly generation: string; readonly updated: string }[];
  readonly nextPageToken?: string;
}

function isConflict(error: unknown): boolean {
  return error instanceof GsAnswerError && error.status === 412;
}

function generationOf(response: Response): string {
  const generation = response.headers.get('X-Goog-Generation');
  if (generation === null) throw new Error('the service answered without a generation: conditional writes need one');
  return generation;
}
