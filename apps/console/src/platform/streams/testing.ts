/** A client of server-sent events, for tests. */
import { afterEach } from '@jest/globals';

export interface ReceivedEvent {
  readonly event: string;
  readonly data: unknown;
  readonly id?: string;
}

export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** The next event that is not `alive`; undefined at the end. */
  next(): Promise<ReceivedEvent | undefined>;
  /** Breaks the connection off. */
  leave(): void;
}

const leavings: (() => void)[] = [];
afterEach(() => {
  for (const leave of leavings.splice(0)) leave();
});

/** Is left after the test. */
export async function readEvents(url: string, headers: Readonly<Record<string, string>> = {}): Promise<EventReader> {
  const leaving = new AbortController();
  const leave = () => {
    leaving.abort();
  };
  leavings.push(leave);
  const answer = await fetch(url, { headers, signal: leaving.signal });
  const events = answer.body === null ? undefined : eventsIn(answer.body);
  return {
    status: answer.status,
    headers: answer.headers,
    async next() {
      const next = await events?.next();
      return next?.done === false ? next.value : undefined;
    },
    leave,
  };
}

async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ReceivedEvent, undefined> {
  let text = '';
  try {
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + piece).split('\n\n');
      text = blocks.pop() ?? '';
      for (const event of blocks.flatMap(parsed)) yield event;
    }
  } catch {
    // The connection broke off, which is an end, too.
  }
}

/** Nothing for a block without data, and for `alive`. */
function parsed(block: string): readonly ReceivedEvent[] {
  const fields = new Map(block.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]));
  const [event, data, id] = [fields.get('event'), fields.get('data'), fields.get('id')];
  if (event === undefined || data === undefined || event === 'alive') return [];
  return [{ event, data: JSON.parse(data) as unknown, ...(id !== undefined && { id }) }];
}
