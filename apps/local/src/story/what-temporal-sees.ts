/** What somebody sees who reads Temporal's database, without any key. */
import { textOf } from '@nereid/test-kit';
import type { Client } from '@temporalio/client';

export interface Seen {
  readonly workflowId: string;
  /** Events and descriptions, as they came. */
  readonly records: readonly unknown[];
}

/** Of every workflow, in every run. */
export async function whatTemporalSees({ workflow }: Pick<Client, 'workflow'>): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  for await (const { workflowId, runId } of workflow.list()) {
    const handle = workflow.getHandle(workflowId, runId);
    const [{ raw }, { events }] = [await handle.describe(), await handle.fetchHistory()];
    seen.push({ workflowId, records: [raw, ...(events ?? [])] });
  }
  return seen;
}

/** They are clear by their nature, or come from Temporal's SDK and say which of its attempts a local activity was. */
const CLEAR = new Set(['searchAttributes', 'indexedFields', 'markerRecordedEventAttributes']);

/** Where each payload is that is not sealed, and what it says. */
export function clearPayloads(value: unknown, place = ''): readonly string[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  const encoding = encodingOf(value);
  if (encoding !== undefined) return encoding === 'binary/encrypted' ? [] : [`${place}: ${textOf(value)}`];
  return Object.entries(value).flatMap(([name, inside]) =>
    CLEAR.has(name) ? [] : clearPayloads(inside, `${place}.${name}`),
  );
}

/** Undefined for what is no payload. */
function encodingOf({
  metadata,
}: {
  readonly metadata?: { readonly encoding?: Uint8Array } | null;
}): string | undefined {
  return metadata?.encoding && Buffer.from(metadata.encoding).toString();
}
