/** Server-sent events of the console, one by one. */
import { defined } from '@nereid/domain/defined';
import { LOG_EVENTS } from '@nereid/api';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { z } from 'zod';
import { EXIT, ExitError } from '../exit-code.ts';

type Events = typeof LOG_EVENTS;
type Name = keyof Events;

export type LogEvent = {
  [N in Name]: { readonly name: N; readonly fields: z.output<Events[N]>; readonly json: object; readonly id?: string };
}[Name];

/** A piece of a log is at most 256 KB, and each of its bytes at most six characters of JSON. */
const EVENT_LIMIT = 4 * 1024 * 1024;

/** The console sends something every 15 s. A connection that is silent for longer is dead. */
const SILENCE_MS = 45_000;

/** Ends when the stream does; throws when it breaks off. Events of other names, of a newer console, are left out. */
export async function* readEvents({ body }: Response): AsyncGenerator<LogEvent, undefined> {
  if (body === null) return;
  const alive = watchSilence();
  const events = body
    .pipeThrough(alive.watched)
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: EVENT_LIMIT }));
  try {
    for await (const { event = 'message', data, id } of events) {
      const name = (Object.keys(LOG_EVENTS) as Name[]).find((one) => one === event); // The keys of the table.
      if (name !== undefined) yield logEvent(name, data, id);
    }
  } finally {
    alive.stop();
  }
}

function logEvent(name: Name, data: string, id: string | undefined): LogEvent {
  const json = parsed(data);
  const fields = LOG_EVENTS[name].safeParse(json);
  if (!fields.success || typeof json !== 'object' || json === null)
    throw new ExitError(
      EXIT.notNow,
      `expected an event ${name} of this release, found another; use the nereid of the console's release`,
    );
  return { name, fields: fields.data, json, ...defined({ id }) } as LogEvent; // By the schema of this name.
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return undefined;
  }
}

/** Passes everything on, and breaks the stream off when nothing has come for too long. */
function watchSilence(): { readonly watched: TransformStream<Uint8Array, Uint8Array>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const arm = (controller: TransformStreamDefaultController<Uint8Array>) => {
    clearTimeout(timer);
    if (isOver) return;
    timer = setTimeout(() => {
      controller.error(new Error(`nothing came for ${SILENCE_MS / 1_000} s`));
    }, SILENCE_MS);
  };
  const watched = new TransformStream<Uint8Array, Uint8Array>({
    start: arm,
    transform(piece, controller) {
      arm(controller);
      controller.enqueue(piece);
    },
  });
  return {
    watched,
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
