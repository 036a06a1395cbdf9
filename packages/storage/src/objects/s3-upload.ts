import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
  type S3Client,
} from '@aws-sdk/client-s3';
import { callDeadline } from './s3-limits.ts';
import { orFail } from './s3-failure.ts';

/** S3 takes at most 10,000 parts of at least 5 MiB each. Parts of 8 MiB allow 80 GB, and set the memory an upload takes. */
const PART_BYTES = 8 * 1024 * 1024;

interface Upload {
  readonly client: S3Client;
  readonly key: string;
  readonly object: { readonly Bucket: string; readonly Key: string };
}

/** Uploads in parts, one at a time; a body of one part goes in one request. The object appears once it is complete. */
export async function uploadStream(upload: Upload, body: AsyncIterable<Uint8Array>): Promise<void> {
  const parts = inParts(body);
  const first = await parts.next();
  if (first.done === true) return putWhole(upload, new Uint8Array());
  const second = await parts.next();
  if (second.done === true) return putWhole(upload, first.value);
  return putParts(upload, [first.value, second.value], parts);
}

async function putWhole({ client, key, object }: Upload, body: Uint8Array): Promise<void> {
  await orFail(key, 'write', () => client.send(new PutObjectCommand({ ...object, Body: body }), callDeadline()));
}

async function putParts(upload: Upload, begun: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): Promise<void> {
  const { client, key, object } = upload;
  const created = await orFail(key, 'write', () =>
    client.send(new CreateMultipartUploadCommand(object), callDeadline()),
  );
  const target = { ...object, UploadId: created.UploadId };
  try {
    const done: CompletedPart[] = [];
    for await (const part of concatenate(begun, rest)) {
      const numbered = { ...target, PartNumber: done.length + 1 };
      const stored = await orFail(key, 'write', () =>
        client.send(new UploadPartCommand({ ...numbered, Body: part }), callDeadline()),
      );
      done.push({ PartNumber: numbered.PartNumber, ETag: stored.ETag });
    }
    const complete = new CompleteMultipartUploadCommand({ ...target, MultipartUpload: { Parts: done } });
    await orFail(key, 'write', () => client.send(complete, callDeadline()));
  } catch (error) {
    // A failed abort must not hide the original error. The bucket's lifecycle rule removes parts that stay.
    await client.send(new AbortMultipartUploadCommand(target), callDeadline()).catch(() => undefined);
    throw error;
  }
}

async function* concatenate<T>(begun: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* begun;
  yield* rest;
}

/** The same bytes in pieces of exactly one part each, except the last. */
async function* inParts(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (let piece of body) {
    while (bytes + piece.length >= PART_BYTES) {
      const missing = PART_BYTES - bytes;
      yield Buffer.concat([...pieces, piece.subarray(0, missing)]);
      piece = piece.subarray(missing);
      pieces = [];
      bytes = 0;
    }
    if (piece.length === 0) continue;
    pieces.push(piece);
    bytes += piece.length;
  }
  if (bytes > 0) yield Buffer.concat(pieces);
  return undefined;
}
