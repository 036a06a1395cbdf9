/** Looks again and again who somebody is while a stream goes on for them: they log out, are removed, or their token ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from 'express';
import type { Logger } from 'pino';
import { AccessUnknownError } from './access-unknown.ts';
import { readingOf, type Reader, type ReadingSources } from './reading.ts';

export interface ReaderWatch {
  /**
   * Aborted once they are nobody any more, or somebody else, or nobody can say who they are. A client comes back, and is told
   * why.
   */
  readonly gone: AbortSignal;
  stop(): void;
}

/** Knowledge about a login is kept for 20 s more, so that half a minute is the longest. */
export const READER_ASKED_MS = 10_000;

export interface ReaderWatchSources extends ReadingSources {
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  /** How often a stream looks who follows it, in milliseconds. */
  readonly readerAskedMs: number;
}

/**
 * People with a link are nobody from the start; what they get is decided by its key. `mayGoOn` is asked as well, as often: whether
 * they still may see what they follow.
 */
export function watchReader(
  sources: ReaderWatchSources,
  request: Request,
  mayGoOn: () => Promise<boolean> = () => Promise.resolve(true),
): ReaderWatch {
  const stopped = new AbortController();
  const gone = new AbortController();

  async function isSame(first: Reader): Promise<boolean> {
    const reading = await readingOf(sources, request);
    return reading.kind === 'reader' && nameOf(reading.reader) === nameOf(first) && mayGoOn();
  }

  async function watch(): Promise<void> {
    const first = await readingOf(sources, request);
    if (first.kind !== 'reader') return;
    for (let goesOn = true; goesOn; goesOn = await isSame(first.reader))
      await sleep(sources.readerAskedMs, undefined, { signal: stopped.signal, ref: false });
    gone.abort();
  }

  watch().catch((error: unknown) => {
    if (stopped.signal.aborted) return;
    if (!(error instanceof AccessUnknownError)) sources.logger.error({ err: error }, 'a stream is ended');
    gone.abort();
  });
  return {
    gone: gone.signal,
    stop() {
      stopped.abort();
    },
  };
}

/** A token that is for other repositories from now on is another one. */
function nameOf(reader: Reader): string {
  if (reader.kind === 'local') return '';
  const { id, login, token } = reader.person;
  return JSON.stringify([reader.proof.mode, id ?? login.toLowerCase(), token]);
}
