/**
 * A plan and the files that belong to it, as one stream of bytes: the length of a JSON table of contents (4 bytes), the
 * table, then the files that it names, one after the other.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readlink, rename, rm, symlink, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DISTRIBUTIONS } from '@nereid/domain/root';
import { z } from 'zod';
import { createByteReader, type ByteReader } from './byte-reader.ts';
import { placeInside } from './places.ts';

/** A thousand files with long names take 0.2 MiB in a table of contents; the system limits env values to 2 MiB. */
const TABLE_LIMIT = 8 * 1024 * 1024;

const entry = z.union([
  z.strictObject({ kind: z.literal('file'), path: z.string(), bytes: z.int().nonnegative(), mode: z.int() }),
  z.strictObject({ kind: z.literal('link'), path: z.string(), target: z.string() }),
]);

const table = z.strictObject({
  version: z.literal(1),
  planFile: z.string(),
  description: z.strictObject({
    path: z.string(),
    terraformVersion: z.string(),
    distribution: z.enum(DISTRIBUTIONS),
    lockFileDigest: z.string().nullable(),
  }),
  env: z.record(z.string(), z.string()),
  entries: z.array(entry),
});

export type PlanTable = z.infer<typeof table>;
export type PlanEntry = z.infer<typeof entry>;

/** A plan cannot be packed, or a stream is not an archive that may be unpacked. */
export class PlanArchiveError extends Error {
  override readonly name = 'PlanArchiveError';
  readonly code = 'PLAN_ARCHIVE';
}

/**
 * Describes the file or link at a path; undefined when it is neither, or when the path leads out of the folder or through a link.
 * Code of the root can put a link in the place of a directory. Folders come with their files.
 */
export async function describeEntry(folder: string, path: string): Promise<PlanEntry | undefined> {
  const place = await placeInside(folder, path);
  if (place === undefined) return undefined;
  const found = await lstat(place);
  if (found.isSymbolicLink()) return { kind: 'link', path, target: await readlink(place) };
  if (found.isFile()) return { kind: 'file', path, bytes: found.size, mode: found.mode & 0o777 };
  return undefined;
}

/** Undefined for contents that can be packed. */
export function whyUnpackable(contents: PlanTable): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(contents));
  if (bytes <= TABLE_LIMIT) return undefined;
  return `the names of its ${contents.entries.length} files have ${bytes} bytes, more than ${TABLE_LIMIT}`;
}

/** Contents that `whyUnpackable` has no objection to. */
export async function* pack(folder: string, contents: PlanTable): AsyncGenerator<Uint8Array> {
  const json = Buffer.from(JSON.stringify(contents));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  yield length;
  yield json;
  for (const packed of contents.entries)
    if (packed.kind === 'file') yield* readExactly(await stillInside(folder, packed.path), packed.bytes);
}

async function stillInside(folder: string, path: string): Promise<string> {
  const place = await placeInside(folder, path);
  if (place === undefined) throw new PlanArchiveError(`${path} changed while it was kept`);
  return place;
}

/** A file whose size changed since it was described would shift everything after it. One byte more reveals growth. */
async function* readExactly(path: string, bytes: number): AsyncGenerator<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  let read = 0;
  try {
    for await (const piece of file.createReadStream({ autoClose: false, end: bytes })) {
      const chunk = piece as Buffer; // No encoding is set.
      read += chunk.length;
      yield chunk;
    }
  } finally {
    await file.close();
  }
  if (read !== bytes) throw new PlanArchiveError(`${path} changed while it was kept`);
}

export interface Unpacked {
  readonly contents: PlanTable;
  /** SHA-256 of the plan file as unpacked, 64 hex digits. */
  readonly planDigest: string;
}

/**
 * Unpacks into `staging`, and moves everything to its place in `folder` once all of it was read: an incomplete stream
 * changes nothing. Files in the way are replaced; links come last, so that no file is written through one.
 */
export async function unpack(stream: AsyncIterable<Uint8Array>, staging: string, folder: string): Promise<Unpacked> {
  const reader = createByteReader(stream);
  try {
    const contents = await readTable(reader);
    const planDigest = await stageFiles(reader, contents, staging);
    if (!(await reader.hasEnded())) throw new PlanArchiveError('something follows its last file');
    await bringToPlace(contents.entries, staging, folder);
    return { contents, planDigest };
  } finally {
    await reader.close();
  }
}

async function bringToPlace(entries: readonly PlanEntry[], staging: string, folder: string): Promise<void> {
  for (const [index, packed] of entries.entries())
    if (packed.kind === 'file') await rename(join(staging, String(index)), await freePlace(folder, packed.path));
  for (const packed of entries)
    if (packed.kind === 'link') await symlink(packed.target, await freePlace(folder, packed.path));
}

async function readTable(reader: ByteReader): Promise<PlanTable> {
  const length = (await reader.exactly(4))?.readUInt32BE();
  if (length === undefined || length > TABLE_LIMIT) throw new PlanArchiveError('it has no table of contents');
  const json = await reader.exactly(length);
  if (json === undefined) throw new PlanArchiveError('its table of contents is cut off');
  const parsed = table.safeParse(JSON.parse(json.toString()));
  if (!parsed.success) throw new PlanArchiveError('its table of contents has another form', { cause: parsed.error });
  return parsed.data;
}

/** Writes the files under their numbers and returns the digest of the plan file. */
async function stageFiles(reader: ByteReader, contents: PlanTable, staging: string): Promise<string> {
  const digest = createHash('sha256');
  for (const [index, packed] of contents.entries.entries()) {
    if (packed.kind !== 'file') continue;
    const file = await open(join(staging, String(index)), 'wx', packed.mode);
    try {
      await copy(
        reader,
        packed.bytes,
        file,
        packed.path === contents.planFile ? (piece) => digest.update(piece) : undefined,
      );
    } finally {
      await file.close();
    }
  }
  return digest.digest('hex');
}

async function copy(
  reader: ByteReader,
  bytes: number,
  file: FileHandle,
  seen?: (piece: Buffer) => void,
): Promise<void> {
  let copied = 0;
  for await (const piece of reader.next(bytes)) {
    await file.write(piece);
    seen?.(piece);
    copied += piece.length;
  }
  if (copied !== bytes) throw new PlanArchiveError('one of its files is cut off');
}

async function freePlace(folder: string, path: string): Promise<string> {
  const place = await placeInside(folder, path);
  if (place === undefined) throw new PlanArchiveError(`${JSON.stringify(path)} would leave the folder`);
  await mkdir(dirname(place), { recursive: true });
  await rm(place, { force: true });
  return place;
}
