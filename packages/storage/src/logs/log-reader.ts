import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectStore } from '../objects/object-store.ts';
import { CHUNK_LIMIT_BYTES, chunkKey, chunkOffset, logPrefix, manifestKey, type LogName } from './log-keys.ts';
import { manifestFormat, type LogManifest } from './log-manifest.ts';

/** Reads the log of one job, even while it is being written. Offsets and sizes count bytes of the masked log. */
export interface LogReader {
  size(): Promise<LogSize>;
  /** Reads from `offset`: at most `limit` bytes and never more than `READ_LIMIT_BYTES`; empty at the end. */
  read(offset: number, limit: number): Promise<LogPart>;
  /** Yields the output from `offset` on, as it comes. The last event is `ended` or `broke-off`, unless `signal` aborts. */
  follow(offset: number, options?: FollowOptions): AsyncIterable<LogEvent>;
}

export interface LogSize {
  readonly bytes: number;
  /** The job closed its log; nothing more will come. */
  readonly isComplete: boolean;
}

export interface LogPart {
  readonly bytes: Uint8Array;
  /** The offset for the next read. */
  readonly nextOffset: number;
}

export type LogEvent =
  | { readonly kind: 'output'; readonly offset: number; readonly bytes: Uint8Array; readonly nextOffset: number }
  /** So many bytes were left out. */
  | { readonly kind: 'skipped'; readonly bytes: number; readonly nextOffset: number }
  | { readonly kind: 'ended'; readonly bytes: number; readonly lostBytes: number }
  /** The log was never closed and nothing came for `silenceMs`: its host is gone. */
  | { readonly kind: 'broke-off' };

export interface FollowOptions {
  readonly signal?: AbortSignal;
  /** Default 500: half the time that a writer waits before it stores. */
  readonly pollMs?: number;
  /**
   * Default 10 minutes: Terraform says every 10 s what it waits for, but a `run` step may be silent for long. A caller
   * that knows that the job has ended passes less.
   */
  readonly silenceMs?: number;
  /** For readers who want to see the end rather than everything. Default: nothing is left out. */
  readonly skip?: Skip;
}

/** Once the log is `beyondBytes` ahead, the reader goes on near its last `toLastBytes`, where a chunk begins. */
export interface Skip {
  readonly beyondBytes: number;
  readonly toLastBytes: number;
}

/** The most that one response to a browser carries. */
export const READ_LIMIT_BYTES = 1024 * 1024;

const POLL_MS = 500;
const SILENCE_MS = 600_000;

interface Chunk {
  readonly offset: number;
  readonly body: Uint8Array;
}

export function createLogReader(store: ObjectStore, log: LogName): LogReader {
  const prefix = logPrefix(log);

  async function readManifest(): Promise<LogManifest | undefined> {
    const key = manifestKey(log);
    const found = await store.get(key);
    return found && manifestFormat.decode(key, found.body);
  }

  /** The offsets of chunks that begin after `offset`. */
  async function* offsetsAfter(offset: number): AsyncGenerator<number> {
    const after = offset < 0 ? {} : { after: chunkKey(log, offset) };
    for await (const key of store.list(prefix, after)) {
      const begin = chunkOffset(key);
      if (begin !== undefined) yield begin;
    }
  }

  /** The offsets of the chunk that holds `offset`, and of those that follow it. */
  async function* offsetsFrom(offset: number): AsyncGenerator<number> {
    let holding: number | undefined;
    for await (const begin of offsetsAfter(offset - CHUNK_LIMIT_BYTES)) {
      if (begin > offset && holding !== undefined) yield holding;
      if (begin > offset) yield begin;
      holding = begin > offset ? undefined : begin;
    }
    if (holding !== undefined) yield holding;
  }

  async function* readChunks(offsets: AsyncIterable<number> | Iterable<number>): AsyncGenerator<Chunk> {
    for await (const offset of offsets) {
      const found = await store.get(chunkKey(log, offset));
      if (found !== undefined) yield { offset, body: found.body };
    }
  }

  async function lastOffset(): Promise<number | undefined> {
    let last: number | undefined;
    for await (const begin of offsetsAfter(-1)) last = begin;
    return last;
  }

  return {
    async size() {
      const manifest = await readManifest();
      if (manifest !== undefined) return { bytes: manifest.bytes, isComplete: true };
      const last = await lastOffset();
      const body = last === undefined ? undefined : (await store.get(chunkKey(log, last)))?.body;
      return { bytes: (last ?? 0) + (body?.length ?? 0), isComplete: false };
    },

    async read(offset, limit) {
      const parts: Uint8Array[] = [];
      let nextOffset = offset;
      let left = Math.min(limit, READ_LIMIT_BYTES);
      for await (const chunk of readChunks(offsetsFrom(offset))) {
        const part = partOf(chunk, nextOffset).subarray(0, left);
        parts.push(part);
        nextOffset = Math.max(nextOffset, chunk.offset) + part.length;
        left -= part.length;
        if (left <= 0) break;
      }
      return { bytes: Buffer.concat(parts), nextOffset };
    },

    async *follow(offset, { signal, pollMs = POLL_MS, silenceMs = SILENCE_MS, skip } = {}) {
      let nextOffset = offset;
      let lastBegin: number | undefined;
      let heardAt = Date.now();
      while (signal?.aborted !== true) {
        // The manifest is read before the chunks: once it exists, all chunks do.
        const manifest = await readManifest();
        const begins: number[] = [];
        for await (const begin of lastBegin === undefined ? offsetsFrom(nextOffset) : offsetsAfter(lastBegin))
          begins.push(begin);
        const skipped = skip && skippedOf(begins, nextOffset, skip);
        if (skipped !== undefined) {
          nextOffset = skipped.nextOffset;
          yield skipped;
        }
        for await (const chunk of readChunks(skipped ? begins.filter((begin) => begin >= nextOffset) : begins)) {
          lastBegin = chunk.offset;
          const output = outputOf(chunk, nextOffset);
          if (output.bytes.length === 0) continue;
          nextOffset = output.nextOffset;
          yield output;
          heardAt = Date.now();
        }
        const end = endOf(manifest, Date.now() - heardAt > silenceMs);
        if (end !== undefined) {
          yield end;
          return;
        }
        await pause(pollMs, signal);
      }
    },
  };
}

function outputOf(chunk: Chunk, from: number): LogEvent & { kind: 'output' } {
  const offset = Math.max(from, chunk.offset);
  const bytes = partOf(chunk, from);
  return { kind: 'output', offset, bytes, nextOffset: offset + bytes.length };
}

/** Undefined while the log is not that far ahead. */
function skippedOf(begins: readonly number[], from: number, skip: Skip): (LogEvent & { kind: 'skipped' }) | undefined {
  const last = begins.at(-1) ?? from;
  if (last - from <= skip.beyondBytes) return undefined;
  const nextOffset = begins.find((begin) => begin >= last - skip.toLastBytes) ?? last;
  return { kind: 'skipped', bytes: nextOffset - from, nextOffset };
}

function endOf(manifest: LogManifest | undefined, isSilent: boolean): LogEvent | undefined {
  if (manifest !== undefined) return { kind: 'ended', bytes: manifest.bytes, lostBytes: manifest.lostBytes };
  return isSilent ? { kind: 'broke-off' } : undefined;
}

/** The bytes of a chunk from `offset` on. */
function partOf({ offset: begin, body }: Chunk, offset: number): Uint8Array {
  return body.subarray(Math.max(0, offset - begin));
}

/** Returns early, without an error, when `signal` is aborted. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}
