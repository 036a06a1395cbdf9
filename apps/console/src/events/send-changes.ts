/** Sends what a watch sees to one client: what it wants and may see, from where it was. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AccessUnknownError } from '../access/access-unknown.ts';
import type { MaySee } from '../access/may-see-changes.ts';
import type { EventStream, StreamMessage } from '../platform/streams/event-stream.ts';
import type { Entry } from './change-log.ts';
import { isWanted, aboutOf, type ChangeFilter } from './change.ts';
import type { Watch } from './watch.ts';

export interface SendOptions {
  readonly watch: Watch;
  readonly stream: EventStream;
  readonly filter: ChangeFilter;
  readonly maySee: MaySee;
  /** Changes that come together are one event, without their content. */
  readonly isBrief: boolean;
  /** The id of the last event that the client has. */
  readonly since: string | undefined;
  /** Hears how far the client has everything. */
  readonly onPlace: (id: string) => void;
  readonly signal: AbortSignal;
}

/** Entries are shared by all streams. A client who is so far behind gets no news that is worth the name. */
export const PENDING_LIMIT = 10_000;

/** Returns when the client is gone, or the console stops. */
export async function sendChanges(options: SendOptions): Promise<void> {
  const { watch, stream, since, onPlace, signal } = options;
  let pending: Entry[] = [];
  let news = Promise.withResolvers<undefined>();
  const over = Promise.withResolvers<undefined>();
  const { begun, stop } = watch.follow((entries) => {
    pending.push(...entries);
    if (pending.length > PENDING_LIMIT) stream.cutOff();
    news.resolve(undefined);
  });
  if (signal.aborted) over.resolve(undefined);
  signal.addEventListener('abort', () => over.resolve(undefined));
  try {
    await Promise.race([begun, over.promise]);
    // What came meanwhile is part of what was missed, or of the state that the client takes now.
    const missed = since === undefined ? undefined : watch.log.since(since);
    pending = [...(missed ?? [])];
    if (missed === undefined) await stream.send('reset', {}, watch.log.lastId());
    onPlace(watch.log.lastId());
    while (!signal.aborted) {
      const entries = pending;
      pending = [];
      news = Promise.withResolvers();
      const messages = await messagesOf(entries, options).catch(unlessUnknown);
      if (messages instanceof AccessUnknownError) {
        // Nothing is passed over: the client keeps its place, and gets these once somebody can say.
        pending = [...entries, ...pending];
        await Promise.race([sleep(waitMs(messages), undefined, { ref: false }), over.promise]);
        continue;
      }
      if (messages.length > 0) await stream.sendAll(messages);
      const last = entries.at(-1);
      if (last !== undefined) onPlace(last.id);
      if (pending.length === 0) await Promise.race([news.promise, over.promise]);
    }
  } finally {
    stop();
  }
}

function unlessUnknown(error: unknown): AccessUnknownError {
  if (error instanceof AccessUnknownError) return error;
  throw error;
}

/** The forge's outages take minutes; what limits a person may take an hour, and then somebody else may have asked. */
const WAIT_LIMIT_MS = 10_000;

function waitMs({ retryAfterS }: AccessUnknownError): number {
  return Math.min(retryAfterS * 1_000, WAIT_LIMIT_MS);
}

async function messagesOf(
  entries: readonly Entry[],
  { filter, maySee, isBrief }: SendOptions,
): Promise<StreamMessage[]> {
  const seen: Entry[] = [];
  for (const entry of entries) {
    if (!isWanted(entry.change, filter)) continue;
    const about = aboutOf(entry.change);
    if (about !== undefined && !(await maySee(about))) continue;
    seen.push(entry);
    if (isBrief) break;
  }
  if (!isBrief) return seen.map(({ id, change, data }) => ({ event: change.kind, data, id }));
  const isReset = seen.some(({ change }) => change.kind === 'reset');
  return seen.length === 0 ? [] : [{ event: isReset ? 'reset' : 'changed', data: '{}', id: entries.at(-1)?.id }];
}
