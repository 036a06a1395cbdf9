/** The two ways to show changes, as links, so that no script is needed and the choice goes along. Pure. */
import { html, type Html } from '../../platform/html/html.ts';
import type { PlanLook } from './plan-filter.ts';

type View = PlanLook['view'];

const VIEWS: readonly (readonly [View, string])[] = [
  [undefined, 'In one column'],
  ['split', 'Side by side'],
];

export function viewSwitch(shown: View, linkTo: (view: View) => string): Html {
  return html`<nav class="views" aria-label="How changes are shown">
    ${VIEWS.map(([view, title]) =>
      view === shown ? html`<span aria-current="true">${title}</span>` : html`<a href="${linkTo(view)}">${title}</a>`,
    )}
  </nav>`;
}
