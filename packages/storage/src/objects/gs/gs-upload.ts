import { inParts, type Part } from '../in-parts.ts';
import type { GsClient, Send } from './gs-client.ts';
import { GsAnswerError } from './gs-failure.ts';

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
    async send(bytes, offset, isLast) {
      const end = offset + bytes.length;
      const put = (send: Send, from: number) =>
        progressOf(send({ ...address, method: 'PUT', ...rangeOf(bytes.subarray(from - offset), from, isLast) }));
      try {
        return await client.attempt(async (send, attempt) => {
          // What came of the attempt before is not known, and bytes must not be sent twice.
          const kept = attempt === 1 ? offset : await progressOf(send({ ...address, method: 'PUT', ...QUESTION }));
          if (kept === 'complete') return end;
          const now = kept >= offset && kept < end ? await put(send, kept) : kept;
          return now === 'complete' ? end : now;
        });
      } catch (cause) {
        if (cause instanceof GsAnswerError && [404, 410].includes(cause.status)) throw new UploadGoneError({ cause });
        throw cause;
      }
    },
    cancel: () => client.call({ ...address, method: 'DELETE' }, () => Promise.resolve()),
  };
}

/** Asks how far the service has the bytes. */
const QUESTION = { headers: { 'Content-Range': 'bytes */*' } };

function rangeOf(bytes: Uint8Array, offset: number, isLast: boolean) {
  const end = offset + bytes.length;
  return { headers: { ...BYTES, 'Content-Range': `bytes ${offset}-${end - 1}/${isLast ? end : '*'}` }, body: bytes };
}

/** How far the service has the bytes: `bytes=0-99` are a hundred; no header, none. */
async function progressOf(answer: Promise<Response>): Promise<number | 'complete'> {
  const response = await answer;
  await response.arrayBuffer();
  if (response.status !== 308) return 'complete';
  const last = /^bytes=0-(\d+)$/.exec(response.headers.get('Range') ?? '')?.[1];
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
  readonly code = 'UploadStuck';

  constructor() {
    super('the service did not keep what was sent to it');
  }
}

/** Google knows the session no more: it was closed there, or is complete, and only the answer was lost. */
class UploadGoneError extends Error {
  override readonly name = 'UploadGoneError';
  readonly code = 'UploadGone';

  constructor(options: ErrorOptions) {
    super('the service has ended the upload', options);
  }
}
