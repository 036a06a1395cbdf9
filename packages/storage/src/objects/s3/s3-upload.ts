import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
} from '@aws-sdk/client-s3';
import { orFail, type Cloud } from '../cloud-failure.ts';
import { inParts, type Part } from '../in-parts.ts';
import type { Calls } from './s3-store.ts';

interface Upload extends Calls {
  readonly cloud: Cloud;
  readonly key: string;
  readonly object: { readonly Bucket: string; readonly Key: string };
}

/**
 * Uploads in parts, one at a time; a body of one part goes in one request. The object appears once it is complete. S3 takes
 * 10,000 parts at most, which makes 80 GB.
 */
export async function uploadStream(upload: Upload, body: AsyncIterable<Uint8Array>): Promise<void> {
  const all = await inParts(body);
  await (all.kind === 'whole' ? putWhole(upload, all.bytes) : putParts(upload, all.parts));
}

async function putWhole({ client, deadline, cloud, key, object }: Upload, body: Uint8Array): Promise<void> {
  await orFail(cloud, key, 'write', () => client.send(new PutObjectCommand({ ...object, Body: body }), deadline()));
}

async function putParts(upload: Upload, parts: AsyncIterable<Part>): Promise<void> {
  const { client, deadline, cloud, key, object } = upload;
  const created = await orFail(cloud, key, 'write', () =>
    client.send(new CreateMultipartUploadCommand(object), deadline()),
  );
  const target = { ...object, UploadId: created.UploadId };
  try {
    const done: CompletedPart[] = [];
    for await (const { bytes } of parts) {
      const numbered = { ...target, PartNumber: done.length + 1 };
      const stored = await orFail(cloud, key, 'write', () =>
        client.send(new UploadPartCommand({ ...numbered, Body: bytes }), deadline()),
      );
      done.push({ PartNumber: numbered.PartNumber, ETag: stored.ETag });
    }
    const complete = new CompleteMultipartUploadCommand({ ...target, MultipartUpload: { Parts: done } });
    await orFail(cloud, key, 'write', () => client.send(complete, deadline()));
  } catch (error) {
    // A failed abort must not hide the original error. The bucket's lifecycle rule removes parts that stay.
    await client.send(new AbortMultipartUploadCommand(target), deadline()).catch(() => undefined);
    throw error;
  }
}
