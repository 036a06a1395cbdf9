/** Sends a job's log to a client as it grows: from the client's last position, or from near the end of the log. */
import type { LogReader } from '@nereid/storage';
import type { EventStream } from '../../platform/streams/event-stream.ts';
import { createLogText } from './log-text.ts';

/** How much of a log a page shows at first: about 3,000 lines. The whole log is there as plain text. */
export const TAIL_BYTES = 256 * 1024;

/** A page that falls further behind, because it was hidden or the log is too fast to read, goes on near the end. */
const SKIP = { beyondBytes: 1_024 * 1_024, toLastBytes: TAIL_BYTES };

/** The job has ended, so its host had time to close the log; no output comes after so long a silence. */
const ENDED_SILENCE_MS = 15_000;

export interface FollowRequest {
  readonly reader: LogReader;
  readonly stream: EventStream;
  /** How many bytes the client already has; undefined on its first request. */
  readonly offset: number | undefined;
  /** The client wants the end rather than all: what it is too slow for is left out, which an event says. */
  readonly isTail: boolean;
  readonly hasEnded: boolean;
  readonly signal: AbortSignal;
}

export async function followLog({ reader, stream, offset, isTail, hasEnded, signal }: FollowRequest): Promise<void> {
  const from = offset ?? Math.max(0, (await reader.size()).bytes - TAIL_BYTES);
  let text = createLogText();
  // A tail may begin within a line; the page begins with a whole line.
  let isWithinLine = offset === undefined && from > 0;
  if (offset === undefined) await stream.send('start', { skippedBytes: from });

  const options = { signal, ...(isTail && { skip: SKIP }), ...(hasEnded && { silenceMs: ENDED_SILENCE_MS }) };
  for await (const event of reader.follow(from, options)) {
    switch (event.kind) {
      case 'output': {
        const bytes = isWithinLine ? afterFirstLine(event.bytes) : event.bytes;
        isWithinLine = false;
        await stream.send('output', { segments: text.add(bytes) }, String(event.nextOffset));
        break;
      }
      case 'skipped':
        text = createLogText();
        isWithinLine = true;
        await stream.send('skipped', { bytes: event.bytes }, String(event.nextOffset));
        break;
      case 'ended':
        await stream.send('ended', { lostBytes: event.lostBytes });
        break;
      case 'broke-off':
        await stream.send('broke-off', {});
        break;
    }
  }
}

/** Returns all bytes when there is no line break. */
function afterFirstLine(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(bytes.indexOf(0x0a) + 1);
}
