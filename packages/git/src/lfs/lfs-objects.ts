/**
 * Downloads contents of Git LFS. The server is that of the repository, whatever a file of the repository says, so a token goes to
 * nobody else; what it answers is believed only as far as size and SHA-256 agree with the pointer.
 */
import { defined } from '@nereid/domain/defined';
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { ContentAbsentError, RepositoryUnreachableError } from '../errors.ts';
import type { LfsObject } from '../read/absent-contents.ts';
import { placesIn, type Place } from './batch-answer.ts';
import { ask, download, isSafe, type LfsRepository } from './lfs-requests.ts';

/** GitHub takes as many at once. */
export const BATCH_LIMIT = 100;

const LFS_JSON = 'application/vnd.git-lfs+json';

/** By id. Throws a `ContentAbsentError` when the server lacks one of them. */
export async function locateObjects(
  { path, gitUrl, authorization, signal }: LfsRepository,
  objects: readonly LfsObject[],
): Promise<ReadonlyMap<string, Place>> {
  const response = await ask(path, new URL(`${path}.git/info/lfs/objects/batch`, gitUrl), {
    method: 'POST',
    headers: { accept: LFS_JSON, 'content-type': LFS_JSON, ...defined({ authorization }) },
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

/** Writes the object to a file that is not there yet. */
export async function downloadObject(
  repository: LfsRepository,
  { id, bytes }: LfsObject,
  { file, ...place }: Extract<Place, { kind: 'there' }> & { readonly file: string },
): Promise<void> {
  const { path } = repository;
  const response = await download(repository, place);
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

async function readAnswer(path: string, response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw new RepositoryUnreachableError(path, 'an answer of Git LFS that breaks off', { cause });
  }
}

function absent(id: string, found: string, path: string): ContentAbsentError {
  return new ContentAbsentError(
    `${found} in place of the object ${id} of Git LFS`,
    `push it to ${path}, with git lfs push --all`,
  );
}
