/** The changes of a plan: counts, then addresses by action, destroys first. A pure function. */
import type { ChangeAction, Plan } from '@nereid/contracts';
import { planCounts } from '@nereid/lane';
import { html, type Html } from '../html/html.ts';

/** Actions that lose something come first, because a reviewer must not overlook them. */
const GROUPS: readonly { action: ChangeAction; heading: string; look: string }[] = [
  { action: 'delete', heading: 'Destroy', look: 'destroy' },
  { action: 'replace', heading: 'Replace', look: 'destroy' },
  { action: 'forget', heading: 'Forget', look: 'change' },
  { action: 'update', heading: 'Change', look: 'change' },
  { action: 'create', heading: 'Create', look: 'create' },
  { action: 'import', heading: 'Import', look: 'create' },
  { action: 'move', heading: 'Move', look: 'move' },
];

export function planSection({ hasChanges, summary }: Plan): Html {
  if (!hasChanges) {
    return html`<section class="card" aria-labelledby="plan">
      <h2 id="plan">Plan</h2>
      <p>No changes: the infrastructure already matches this revision.</p>
    </section>`;
  }
  const groups = GROUPS.map(({ action, heading, look }) => {
    const count = summary[action];
    const resources = summary.resources.filter((resource) => resource.action === action);
    if (count === 0) return undefined;
    return html`<details open class="changes ${look}">
      <summary>${heading} <span class="count">${count}</span></summary>
      <ul>
        ${resources.map(({ address }) => html`<li><code>${address}</code></li>`)}
      </ul>
    </details>`;
  });
  return html`<section class="card" aria-labelledby="plan">
    <h2 id="plan">Plan: ${planCounts(summary)}</h2>
    ${groups}${summary.omitted > 0 && html`<p>… and ${summary.omitted} more: see the log.</p>`}
  </section>`;
}
