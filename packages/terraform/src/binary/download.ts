import { DownloadFailedError } from '../errors.ts';

/** Enough for a zip of 100 MB over a slow line. */
const DOWNLOAD_TIMEOUT_MS = 5 * 60_000;

/** Fetches a whole body of at most `limitBytes`. Undefined when the server says that there is none (404). */
export async function download(url: string, limitBytes: number): Promise<Buffer | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
    if (response.status === 404) return undefined;
    if (!response.ok) throw new DownloadFailedError(url, `HTTP status ${response.status}`, response.status);
    return await bodyOf(response, url, limitBytes);
  } catch (error) {
    if (error instanceof DownloadFailedError) throw error;
    throw new DownloadFailedError(url, 'no complete answer', undefined, { cause: error });
  }
}

async function bodyOf(response: Response, url: string, limitBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Typed as any by the standard library; the body of a response streams bytes.
  const body = (response.body ?? []) as AsyncIterable<Uint8Array>;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limitBytes) throw new DownloadFailedError(url, `more than ${limitBytes} bytes`, response.status);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
