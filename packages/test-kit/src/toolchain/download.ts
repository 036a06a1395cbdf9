import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DownloadError } from './errors.ts';

export interface Download {
  readonly url: string;
  /** 64 hex digits. */
  readonly sha256: string;
  /** Where the file goes; it is kept only if it has that checksum. */
  readonly file: string;
  /** Ends the download early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Three seconds, redirects included, show whether the vendor can be reached. If not, there is another way. */
const ANSWER_TIMEOUT_MS = 3_000;
/** A slow line pauses; one that is silent for this long is dead. */
const STALL_TIMEOUT_MS = 20_000;
/** Ten times the largest archive that we fetch. */
const SIZE_LIMIT_BYTES = 1024 ** 3;

/** Fetches a file and keeps it only if it is the published one. Throws `DownloadError`. */
export async function download(options: Download): Promise<void> {
  const watchdog = createWatchdog();
  const { url, sha256, file } = options;
  try {
    watchdog.restart(ANSWER_TIMEOUT_MS, 'did not answer');
    const signal = options.signal ? AbortSignal.any([watchdog.signal, options.signal]) : watchdog.signal;
    const response = await fetch(url, { signal });
    if (!response.ok || response.body === null) throw new Error(`answered ${response.status}`);

    const onChunk = () => {
      watchdog.restart(STALL_TIMEOUT_MS, 'stalled');
    };
    const found = await store(Readable.fromWeb(response.body), file, onChunk);
    if (found !== sha256) throw new Error(`expected SHA-256 ${sha256}, found ${found}; the file was thrown away`);
  } catch (error) {
    await rm(file, { force: true });
    options.signal?.throwIfAborted();
    throw new DownloadError(url, watchdog.why ?? reasonOf(error), { cause: error });
  } finally {
    watchdog.stop();
  }
}

/** Returns the SHA-256 of the stored file. */
async function store(body: Readable, file: string, onChunk: () => void): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  onChunk();
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onChunk();
      hash.update(chunk);
      bytes += chunk.length;
      done(bytes > SIZE_LIMIT_BYTES ? new Error(`is larger than ${SIZE_LIMIT_BYTES} bytes`) : null, chunk);
    },
  });
  await pipeline(body, measure, createWriteStream(file));
  return hash.digest('hex');
}

function createWatchdog() {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let why: string | undefined;
  return {
    signal: controller.signal,
    get why() {
      return why;
    },
    restart(timeoutMs: number, complaint: string) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        why = `${complaint} within ${timeoutMs} ms`;
        controller.abort();
      }, timeoutMs);
    },
    stop() {
      clearTimeout(timer);
    },
  };
}

/** `fetch` hides the reason ("getaddrinfo ENOTFOUND …") in the cause of "fetch failed". */
function reasonOf(error: unknown): string {
  const cause = isObject(error) && 'cause' in error ? error.cause : undefined;
  return [cause, error].map(messageIn).find((message) => message !== undefined) ?? String(error);
}

/** Checks the shape, because errors of Node's core may come from another realm than ours. */
function messageIn(error: unknown): string | undefined {
  return isObject(error) && 'message' in error ? String(error.message) : undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
