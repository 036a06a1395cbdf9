import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectStore } from '../objects/object-store.ts';
import { CHUNK_LIMIT_BYTES, chunkKey, chunkOffset, logPrefix, manifestKey } from './log-keys.ts';
import { manifestFormat, type LogManifest } from './log-manifest.ts';

/** Reads the log of one job, even while it is being written. Offsets and sizes count bytes of the masked log. */
export interface LogReader {
  size(): Promise<LogSize>;
  /** Reads from `offset`: at most `limit` bytes and never more than `READ_LIMIT_BYTES`; empty at the end. */
  read(offset: number, limit: number): Promise<LogPart>;
  /** Yields all output from `offset` on, as it comes. The last event is `ended` or `broke-off`, unless `signal` aborts. */
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
}

/** The most that one response to a browser carries. */
export const READ_LIMIT_BYTES = 1024 * 1024;

const POLL_MS = 500;
const SILENCE_MS = 600_000;

interface Chunk {
  readonly offset: number;
  readonly body: Uint8Array;
}

export function createLogReader(store: ObjectStore, jobId: string): LogReader {
  const prefix = logPrefix(jobId);

  async function readManifest(): Promise<LogManifest | undefined> {
    const key = manifestKey(jobId);
    const found = await store.get(key);
    return found && manifestFormat.decode(key, found.body);
  }

  /** The offsets of chunks that begin after `offset`. */
  async function* offsetsAfter(offset: number): AsyncGenerator<number> {
    const after = offset < 0 ? {} : { after: chunkKey(jobId, offset) };
    for await (const key of store.list(prefix, after)) {
      const begin = chunkOffset(key);
      if (begin !== undefined) yield begin;
    }
  }

  /** The chunk that holds `offset`, and the chunks that follow it. */
  async function* chunksFrom(offset: number): AsyncGenerator<Chunk> {
    let holding: number | undefined;
    for await (const begin of offsetsAfter(offset - CHUNK_LIMIT_BYTES)) {
      if (begin > offset && holding !== undefined) yield* readChunk(holding);
      if (begin > offset) yield* readChunk(begin);
      holding = begin > offset ? undefined : begin;
    }
    if (holding !== undefined) yield* readChunk(holding);
  }

  async function* chunksAfter(offset: number): AsyncGenerator<Chunk> {
    for await (const begin of offsetsAfter(offset)) yield* readChunk(begin);
  }

  async function* readChunk(offset: number): AsyncGenerator<Chunk> {
    const found = await store.get(chunkKey(jobId, offset));
    if (found !== undefined) yield { offset, body: found.body };
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
      const body = last === undefined ? undefined : (await store.get(chunkKey(jobId, last)))?.body;
      return { bytes: (last ?? 0) + (body?.length ?? 0), isComplete: false };
    },

    async read(offset, limit) {
      const parts: Uint8Array[] = [];
      let nextOffset = offset;
      let left = Math.min(limit, READ_LIMIT_BYTES);
      for await (const chunk of chunksFrom(offset)) {
        const part = partOf(chunk, nextOffset).subarray(0, left);
        parts.push(part);
        nextOffset = Math.max(nextOffset, chunk.offset) + part.length;
        left -= part.length;
        if (left <= 0) break;
      }
      return { bytes: Buffer.concat(parts), nextOffset };
    },

    async *follow(offset, { signal, pollMs = POLL_MS, silenceMs = SILENCE_MS } = {}) {
      let nextOffset = offset;
      let lastBegin: number | undefined;
      let heardAt = Date.now();
      while (signal?.aborted !== true) {
        // The manifest is read before the chunks: once it exists, all chunks do.
        const manifest = await readManifest();
        for await (const chunk of lastBegin === undefined ? chunksFrom(nextOffset) : chunksAfter(lastBegin)) {
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
