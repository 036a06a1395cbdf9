/** Sends the audit trail as a file, page by page, as fast as the client reads it. */
import { once } from 'node:events';
import type { ActivityEntry, ActivityList } from '@nereid/api';
import type { Response } from 'express';
import type { Message } from '../platform/http/send-message.ts';
import { EXPORT_HEADS, exportLine, lastLine, type ExportFormat } from './export-activity.ts';

/** A spreadsheet takes a million rows, and nobody reads as many; whoever wants more goes on with the next file. */
export const EXPORT_LIMIT = 100_000;

export interface Export {
  readonly format: ExportFormat;
  readonly first: ActivityList;
  /** The page behind a cursor; a message when there is none. */
  readonly more: (cursor: string) => Promise<ActivityList | Message>;
  /** Aborted when the client is gone, its reader is nobody any more, or the console stops: the connection breaks off at once. */
  readonly signal: AbortSignal;
  /** For tests. */
  readonly limit?: number;
}

const TYPES: Readonly<Record<ExportFormat, string>> = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl' };

/**
 * An incomplete file ends with a line that says so and where it goes on, and then the connection breaks off. So programs and
 * browsers report a failure, and people who open the file all the same read the line.
 */
export async function sendExport(response: Response, { format, first, more, signal, limit = EXPORT_LIMIT }: Export) {
  response.set({ 'content-type': TYPES[format], 'content-disposition': `attachment; filename="activity.${format}"` });
  signal.addEventListener('abort', () => response.destroy(), { once: true });
  let sent = 0;
  const write = async (text: string) => {
    if (!response.write(text)) await once(response, 'drain', { signal }).catch(() => undefined);
  };
  const writeItems = (items: readonly ActivityEntry[]) => {
    sent += items.length;
    return write(items.map((entry) => exportLine(entry, format)).join(''));
  };
  const breakOff = async (why: string, cursor: string) => {
    await new Promise<void>((resolve) => {
      response.write(lastLine(format, { why, cursor }), () => {
        resolve();
      });
    });
    response.destroy();
  };

  await write(EXPORT_HEADS[format]);
  await writeItems(first.items);
  for (let cursor = first.next; cursor !== undefined && !signal.aborted;) {
    if (sent >= limit) {
      await breakOff(`a file ends after ${limit} events`, cursor);
      return;
    }
    const page = await more(cursor);
    if (!('items' in page) || page.missing.length > 0) {
      await breakOff('storage does not answer', cursor);
      return;
    }
    await writeItems(page.items);
    cursor = page.next;
  }
  if (signal.aborted) response.destroy();
  else response.end();
}
