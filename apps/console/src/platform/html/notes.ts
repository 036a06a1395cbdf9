/** What a page says of the parts that it lacks. */
import { html, type Html } from './html.ts';

const SOURCES = {
  storage: 'Storage does not answer: this is what was known before, and may lack something.',
  temporal: 'Temporal does not answer: the progress of deployments is not known.',
} as const;

export function unavailableNote(unavailable: readonly (keyof typeof SOURCES)[]): Html | false {
  return (
    unavailable.length > 0 &&
    html`<p class="note warning" role="status">${unavailable.map((source) => SOURCES[source]).join(' ')}</p>`
  );
}

/** Says which days a page lacks, because storage did not answer for them. */
export function missingNote(days: readonly string[]): Html | false {
  if (days.length === 0) return false;
  const named = days.length <= DAYS_NAMED ? days.join(', ') : `${days.length} days`;
  return html`<p class="note warning" role="status">
    Storage does not answer for ${named}: what happened then is missing here. Load the page again in a moment.
  </p>`;
}

/** More than these nobody reads. */
const DAYS_NAMED = 5;
