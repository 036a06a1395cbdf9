import { randomUUID } from 'node:crypto';
import type { BlockBlobClient } from '@azure/storage-blob';
import { inParts } from '../in-parts.ts';

export interface AzUpload {
  readonly blob: BlockBlobClient;
  /** Within limits, and again where that may help. */
  readonly call: <T>(work: (abortSignal: AbortSignal) => Promise<T>) => Promise<T>;
}

/**
 * Uploads in blocks, one at a time; a body of one block goes in one request. The object appears once it is complete. Azure
 * takes 50,000 blocks at most, which makes 400 GB, and forgets blocks of no object after a week.
 */
export async function uploadStream({ blob, call }: AzUpload, body: AsyncIterable<Uint8Array>): Promise<void> {
  const all = await inParts(body);
  if (all.kind === 'whole') {
    await call((abortSignal) => blob.upload(all.bytes, all.bytes.length, { abortSignal }));
    return;
  }
  const blocks: string[] = [];
  // Uploads to one blob share the names of blocks: without this, two of them would become one object that is neither.
  const upload = randomUUID();
  for await (const { bytes } of all.parts) {
    const block = Buffer.from(`${upload}-${String(blocks.length).padStart(5, '0')}`).toString('base64');
    await call((abortSignal) => blob.stageBlock(block, bytes, bytes.length, { abortSignal }));
    blocks.push(block);
  }
  await call((abortSignal) => blob.commitBlockList(blocks, { abortSignal }));
}
