/** What makes a page keep itself up to date: its script reads these attributes. */
import { API_PATH, EVENT_STREAM, type EventsQuery } from '@nereid/api';
import { html, type Html } from './html.ts';

export interface Live {
  /** Where the page's script asks for its `#state` again, relative to the page. */
  readonly fragment: string;
  /** The events that say when. The script adds the `lane` and the `key` of the page's own address. */
  readonly events: EventsQuery;
  /** How long after a change everything that the page is made of has it, so that the script asks once more. */
  readonly settledMs?: number;
}

/** Another console behind the same address looks at the fleet a look later. */
const SETTLED_MS = 4_000;

/** Attributes of `main`. `toTop` is the relative path from the page to the console's top. */
export function liveAttributes({ fragment, events, settledMs = SETTLED_MS }: Live, toTop: string): Html {
  const query = new URLSearchParams({ ...definedOf(events), brief: 'yes' }).toString();
  const address = `${toTop}${API_PATH.slice(1)}${EVENT_STREAM.path}?${query}`;
  return html`data-fragment="${fragment}" data-events="${address}" data-settled-ms="${settledMs}"`;
}

function definedOf(query: EventsQuery): Record<string, string> {
  return Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Stands before `main`, so that its coming and going moves nothing in there. */
export const CONNECTION_NOTE = html`<p id="connection" class="note warning" role="status" hidden>
  The connection is lost. Trying again…
</p>`;

/** The part that the page's script replaces while it is open, unless it shows the past. */
export function liveState(body: Html, isPast = false): Html {
  return html`<div id="state" ${isPast && html` data-ended="yes"`}>${body}</div>`;
}
