/** One line on a page whose deployments are stopped: what, by whom, until when, and where to end it. Pure. */
import { describeStopSubject, subjectOfStop } from '@nereid/domain/gates';
import { html, type Html } from '../platform/html/html.ts';
import { when } from '../platform/html/when.ts';
import type { ShownStop } from '../access/stops/shown-stops.ts';

/** The first stop, and how many others there are. `toTop` is the relative path from the page to the console's top. */
export function stopNote([first, ...others]: readonly ShownStop[], toTop: string): Html | undefined {
  if (first === undefined) return undefined;
  const { by, reason, until } = first;
  const more =
    others.length === 0 ? 'What is stopped' : `${others.length} more ${others.length === 1 ? 'stop' : 'stops'}`;
  return html`<p class="note warning" role="status">
    Stopped: ${describeStopSubject(subjectOfStop(first))}, by @${by}, ends ${when(until)}: <bdi>${reason}</bdi>.
    <a href="${toTop}stops">${more}</a>
  </p> `;
}
