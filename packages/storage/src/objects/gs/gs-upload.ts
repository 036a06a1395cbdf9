import { inParts, type Part } from '../in-parts.ts';
import type { GsClient } from './gs-client.ts';

export interface GsUpload {
  readonly client: GsClient;
  /** The path of uploads into the bucket. */
  readonly path: string;
  readonly name: string;
}

/** Uploads in parts, one at a time; a body of one part goes in one request. The object appears once it is complete. */
export async function uploadStream(upload: GsUpload, body: AsyncIterable<Uint8Array>): Promise<void> {
  const all = await inParts(body);
  await (all.kind === 'whole' ? uploadWhole(upload, all.bytes) : uploadParts(upload, all.parts));
}

/** Returns the generation. Without `ifGeneration`, any object is replaced; `0` stands for one that does not exist. */
export function uploadWhole(
  { client, path, name }: GsUpload,
  body: Uint8Array,
  ifGeneration?: string,
): Promise<string> {
  const condition = ifGeneration === undefined ? {} : { ifGenerationMatch: ifGeneration };
  const query = { uploadType: 'media', name, fields: 'generation', ...condition };
  return client.call({ method: 'POST', path, query, headers: BYTES, body }, async (response) => {
    const { generation } = (await response.json()) as { generation: string }; // As Google describes it.
    return generation;
  });
}

const BYTES = { 'Content-Type': 'application/octet-stream' };

interface Session {
  /** Sends bytes that begin at an offset; the last ones tell the size of the whole. Returns how far the service has them. */
  send(bytes: Uint8Array, offset: number, isLast: boolean): Promise<number>;
  cancel(): Promise<void>;
}

async function begin({ client, path, name }: GsUpload): Promise<Session> {
  const query = { uploadType: 'resumable', name };
  const headers = { 'X-Upload-Content-Type': BYTES['Content-Type'] };
  const location = await client.call({ method: 'POST', path, query, headers }, async (response) => {
    await response.arrayBuffer();
    return response.headers.get('Location') ?? '';
  });
  // Whatever host it names: the bytes go where the configuration says.
  const { pathname, searchParams } = new URL(location, 'https://unnamed.invalid');
  const address = { path: pathname, query: Object.fromEntries(searchParams) };
  return {
    send: (bytes, offset, isLast) => {
      const end = offset + bytes.length;
      const range = `bytes ${offset}-${end - 1}/${isLast ? end : '*'}`;
      return client.call(
        { ...address, method: 'PUT', headers: { ...BYTES, 'Content-Range': range }, body: bytes },
        async (response) => {
          await response.arrayBuffer();
          return response.status === 308 ? endOf(response.headers.get('Range')) : end;
        },
      );
    },
    cancel: () => client.call({ ...address, method: 'DELETE' }, () => Promise.resolve()),
  };
}

/** `bytes=0-99` has a hundred bytes; no header, none. */
function endOf(range: string | null): number {
  const last = /^bytes=0-(\d+)$/.exec(range ?? '')?.[1];
  return last === undefined ? 0 : Number(last) + 1;
}

async function uploadParts(upload: GsUpload, parts: AsyncIterable<Part>): Promise<void> {
  const session = await begin(upload);
  try {
    let offset = 0;
    for await (const part of parts) {
      await sendPart(session, part, offset);
      offset += part.bytes.length;
    }
  } catch (error) {
    // A failed cancellation must not hide the original error. Google forgets an open session after a week.
    await session.cancel().catch(() => undefined);
    throw error;
  }
}

/** The service may keep less of a part than was sent, and wants the rest again. */
async function sendPart(session: Session, { bytes, isLast }: Part, offset: number): Promise<void> {
  for (let sent = 0; sent < bytes.length;) {
    const kept = (await session.send(bytes.subarray(sent), offset + sent, isLast)) - offset;
    if (kept <= sent || kept > bytes.length) throw new UploadStuckError();
    sent = kept;
  }
}

/** Google kept nothing of what was sent, or more than that. */
class UploadStuckError extends Error {
  override readonly name = 'UploadStuckError';
  readonly code = 'UPLOAD_STUCK';

  constructor() {
    super('the service did not keep what was sent to it');
  }
}
