/** Sends a job's log to a browser while it grows: from where the browser was, or from near its end. */
import type { LogReader } from '@nereid/storage';
import type { EventStream } from './event-stream.ts';
import { createLogText } from './log-text.ts';

/** What a page shows at once; about 3,000 lines. All of it is there as plain text. */
export const TAIL_BYTES = 256 * 1024;

/** The job has ended, so its host had time to close the log; what has not come by then does not come. */
const ENDED_SILENCE_MS = 15_000;

export interface FollowRequest {
  readonly reader: LogReader;
  readonly stream: EventStream;
  /** Bytes that the browser has already; undefined when it comes for the first time. */
  readonly offset: number | undefined;
  readonly hasEnded: boolean;
  readonly signal: AbortSignal;
}

export async function followLog({ reader, stream, offset, hasEnded, signal }: FollowRequest): Promise<void> {
  const from = offset ?? Math.max(0, (await reader.size()).bytes - TAIL_BYTES);
  const text = createLogText();
  // A tail begins anywhere; a page begins with a line.
  let isWithinLine = offset === undefined && from > 0;
  if (offset === undefined) await stream.send('start', { skippedBytes: from });

  const silence = hasEnded ? { silenceMs: ENDED_SILENCE_MS } : {};
  for await (const event of reader.follow(from, { signal, ...silence })) {
    switch (event.kind) {
      case 'output': {
        const bytes = isWithinLine ? afterFirstLine(event.bytes) : event.bytes;
        isWithinLine = false;
        await stream.send('output', { segments: text.add(bytes) }, String(event.nextOffset));
        break;
      }
      case 'ended':
        await stream.send('ended', { lostBytes: event.lostBytes });
        break;
      case 'broke-off':
        await stream.send('broke-off', {});
        break;
    }
  }
}

/** All of it when there is no line break to begin after. */
function afterFirstLine(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(bytes.indexOf(0x0a) + 1);
}
