/**
 * Downloads contents of Git LFS. The server is that of the repository, whatever a file of the repository says, so a token goes to
 * nobody else; what it answers is believed only as far as size and SHA-256 agree with the pointer.
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { ContentAbsentError, RepositoryUnreachableError } from '../errors.ts';
import type { LfsObject } from '../read/absent-contents.ts';
import { placesIn, type Place } from './batch-answer.ts';

export interface LfsRepository {
  /** `owner/name`. */
  readonly path: string;
  /** Ends in a slash. */
  readonly gitUrl: URL;
  /** The value of the Authorization header. A secret. */
  readonly authorization: string | undefined;
  readonly signal: AbortSignal;
}

/** GitHub takes as many at once. */
export const BATCH_LIMIT = 100;

const LFS_JSON = 'application/vnd.git-lfs+json';

/** By id. Throws a `ContentAbsentError` when the server lacks one of them. */
export async function locateObjects(
  { path, gitUrl, authorization, signal }: LfsRepository,
  objects: readonly LfsObject[],
): Promise<ReadonlyMap<string, Place>> {
  const response = await ask(path, `${gitUrl.href}${path}.git/info/lfs/objects/batch`, {
    method: 'POST',
    headers: { accept: LFS_JSON, 'content-type': LFS_JSON, ...(authorization !== undefined && { authorization }) },
    body: JSON.stringify({
      operation: 'download',
      transfers: ['basic'],
      hash_algo: 'sha256',
      objects: objects.map(({ id, bytes }) => ({ oid: id, size: bytes })),
    }),
    signal,
  });
  const places = placesIn(await readAnswer(path, response));
  for (const { id } of objects) {
    const place = places.get(id);
    if (place === undefined || place.kind === 'absent') throw absent(id, place?.why ?? 'nothing', path);
    if (!isSafe(place.url, gitUrl))
      throw absent(id, `an address that is neither https nor its own: ${place.url.origin}`, path);
  }
  return places;
}

/**
 * Writes the object to a file that is not there yet. Our own token goes to the server of the repository alone, and not beside one
 * that the answer brings.
 */
export async function downloadObject(
  { path, gitUrl, authorization, signal }: LfsRepository,
  { id, bytes }: LfsObject,
  { url, headers, file }: Extract<Place, { kind: 'there' }> & { readonly file: string },
): Promise<void> {
  const sent = new Headers(headers);
  if (authorization !== undefined && url.origin === gitUrl.origin && !sent.has('authorization'))
    sent.set('authorization', authorization);
  const response = await ask(path, url.href, { headers: sent, signal });
  const hash = createHash('sha256');
  let received = 0;
  await using handle = await open(file, 'wx', 0o600);
  for await (const chunk of chunksOf(path, response)) {
    received += chunk.length;
    if (received > bytes) break;
    hash.update(chunk);
    await handle.write(chunk);
  }
  if (received < bytes) throw new RepositoryUnreachableError(path, `${received} of the ${bytes} bytes of ${id}`);
  if (received > bytes || hash.digest('hex') !== id) throw absent(id, 'another content', path);
}

async function* chunksOf(path: string, response: Response): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response.body ?? []) yield chunk;
  } catch (cause) {
    throw new RepositoryUnreachableError(path, 'an answer of Git LFS that breaks off', { cause });
  }
}

/** A redirect is not followed: it would take the credentials to another server. */
async function ask(path: string, url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'error' }).catch((cause: unknown) => {
    init.signal?.throwIfAborted();
    throw new RepositoryUnreachableError(path, 'no answer of Git LFS', { cause });
  });
  if (response.ok) return response;
  await response.body?.cancel();
  const isRefused = response.status < 500;
  throw new RepositoryUnreachableError(path, `status ${response.status} of Git LFS`, { isRefused });
}

async function readAnswer(path: string, response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw new RepositoryUnreachableError(path, 'an answer of Git LFS that breaks off', { cause });
  }
}

function isSafe(url: URL, gitUrl: URL): boolean {
  return url.protocol === 'https:' || url.origin === gitUrl.origin;
}

function absent(id: string, found: string, path: string): ContentAbsentError {
  return new ContentAbsentError(
    `${found} in place of the object ${id} of Git LFS`,
    `push it to ${path}, with git lfs push --all`,
  );
}
