/** What verbs for lists have in common. */
import { OPERATIONS, type OperationName } from '@nereid/api';
import type { Call } from '../call.ts';
import type { Answered, Client, Place } from '../client/client.ts';
import type { Option } from '../arguments/verb-description.ts';
import type { Screen } from '../output/screen.ts';

export const LIMIT: Option = { name: 'limit', value: 'COUNT', summary: 'print at most this many' };
export const REPOSITORY: Option = { name: 'repository', value: 'OWNER/NAME', summary: 'only of this repository' };

/** Operations whose answer has items, and goes on in pages. */
type ListName = { [Name in OperationName]: Answered<Name> extends Paged ? Name : never }[OperationName];

interface Paged {
  readonly items: readonly object[];
  readonly next?: string | undefined;
}

/** What storage or Temporal did not answer for. */
interface Absent {
  readonly unavailable?: readonly string[];
  /** Days. */
  readonly missing?: readonly string[];
}

export interface ListPlace extends Place {
  readonly limit?: number;
  /** Told when days of the list could not be read. */
  readonly onMissing?: () => void;
}

type Item<Name extends ListName> = Answered<Name>['items'][number];

/** The most that one page of any list holds without being slow. */
const PAGE = 200;

/** All items up to the limit, page by page; prints each with `--json`. */
export async function readList<Name extends ListName>(
  call: Call,
  client: Client,
  name: Name,
  { limit = Infinity, onMissing = () => undefined, ...place }: ListPlace,
): Promise<readonly Item<Name>[]> {
  const found: Item<Name>[] = [];
  const noted = new Set<string>();
  const isPaged = 'cursor' in OPERATIONS[name].query.shape;
  let cursor: string | undefined;
  do {
    const page = isPaged && { limit: Math.min(PAGE, limit - found.length), cursor };
    const query = { ...place.query, ...page };
    const { value, json } = await client.get(name, { ...place, query });
    const { items, next, missing = [], ...rest } = value as Paged & Absent; // By `ListName`.
    const raw = (json as { readonly items: readonly unknown[] }).items; // It was parsed as the same.
    const room = limit - found.length;
    for (const one of raw.slice(0, room)) call.json(one);
    found.push(...(items.slice(0, room) as Item<Name>[])); // The items of this very list.
    noteUnavailable(
      call.notes,
      rest.unavailable?.filter((source) => !noted.has(source)),
    );
    for (const source of rest.unavailable ?? []) noted.add(source);
    if (missing.length > 0) {
      call.notes.line({
        text: `Storage does not answer for ${missing.join(', ')}: that is missing here.`,
        style: 'yellow',
      });
      onMissing();
    }
    cursor = next;
  } while (cursor !== undefined && found.length < limit);
  return found;
}

/** Says that a list is empty, so that nobody takes the silence for a fault; a program finds an empty answer. `what` is a plural. */
export function noteEmpty({ given, notes }: Call, found: readonly object[], what: string): void {
  if (found.length > 0 || given.has('json')) return;
  const isNarrowed = ['repository', 'root', 'state', 'status', 'text', 'person', 'action', 'from', 'to'].some(
    (option) => given.option(option) !== undefined,
  );
  notes.line(`No ${what}${isNarrowed ? ' like these' : ''}, or none that you may see.`);
}

const SOURCES: Readonly<Record<string, string>> = {
  storage: 'Storage does not answer: this is as it was known before.',
  temporal: 'Temporal does not answer: the progress of deployments is not known.',
  workers: 'The workers do not answer: this is the last stored state.',
};

export function noteUnavailable(notes: Screen, unavailable: readonly string[] = []): void {
  for (const source of unavailable)
    notes.line({ text: SOURCES[source] ?? `${source} does not answer.`, style: 'yellow' });
}
