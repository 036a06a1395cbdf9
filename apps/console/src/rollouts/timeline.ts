/** The phases of a deployment as a bar on the time of its whole rollout, with the same in words. A pure function. */
import { tookText } from '@nereid/domain/duration';
import type { Phase } from '@nereid/api';
import { html, type Html } from '../platform/html/html.ts';

export interface Span {
  /** In milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
}

const WORDS: Readonly<Record<Phase['name'], string>> = {
  queued: 'queued',
  planning: 'planned',
  review: 'waited for its review',
  applying: 'applied',
};

/** Of a phase that goes on, whose bar ends where the page knows nothing later. */
const OPEN_WORDS: Readonly<Record<Phase['name'], string>> = {
  queued: 'still queued',
  planning: 'still planning',
  review: 'still waiting for its review',
  applying: 'still applying',
};

/** Above the bars. */
export const TIMELINE_LEGEND =
  'Grey: queued. Blue: planning. Amber: waiting for a review. Green: applying. A bar that says “still” goes on.';

/** Of the drawing, which is stretched to the room that there is. */
const WIDTH = 1_000;

/** Shorter ones would not be seen. */
const VISIBLE = 4;

export function timeline(phases: readonly Phase[], span: Span): Html {
  const shown = phases.map((phase) => ({ ...phase, ...placeOf(phase, span) }));
  return html`<svg class="phases" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">
      ${shown.map(({ name, x, width }) => html`<rect class="${name}" x="${x}" y="0" width="${width}" height="10"></rect>`)}
    </svg>
    <span class="detail">${textOf(phases)}</span>`;
}

function placeOf({ from, to }: Phase, { start, end }: Span): { readonly x: number; readonly width: number } {
  const at = (time: number) => (Math.min(Math.max(time - start, 0), end - start) / Math.max(1, end - start)) * WIDTH;
  const x = Math.min(at(Date.parse(from)), WIDTH - VISIBLE);
  return { x: Math.round(x), width: Math.round(Math.max(VISIBLE, at(to === undefined ? end : Date.parse(to)) - x)) };
}

/** What takes no time is not worth a word. */
function textOf(phases: readonly Phase[]): string {
  const parts = phases.flatMap(({ name, from, to }) => {
    if (to === undefined) return [OPEN_WORDS[name]];
    const seconds = (Date.parse(to) - Date.parse(from)) / 1_000;
    return seconds < 1 ? [] : [`${WORDS[name]} ${tookText(seconds)}`];
  });
  return parts.join(', ');
}
