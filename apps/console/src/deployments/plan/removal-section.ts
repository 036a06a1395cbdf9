/** Of a root that a merge removes, there is no plan: what its state holds, what becomes of that, and what to do instead. Pure. */
import { defined } from '@nereid/domain/defined';
import { removalParagraphs, removalTitle } from '@nereid/texts';
import { html, type Html } from '../../platform/html/html.ts';
import { markedText } from '../../platform/html/marked-text.ts';
import type { DeploymentView } from '../deployment-view.ts';
import { itemGroups } from './item-groups.ts';
import { planItems } from './plan-items.ts';

/** Undefined for a deployment that removes no root, or has nothing to say about it. */
export function removalSection({ deployment: { preview }, progress }: DeploymentView): Html | undefined {
  const removal = { ...defined({ preview }), progress };
  const title = removalTitle(removal);
  if (title === undefined) return undefined;
  const summary = progress.plan?.made.body.summary;
  return html`<section class="card" aria-labelledby="removal">
    <h2 id="removal">${title}</h2>
    ${removalParagraphs(removal).map((paragraph) => html`<p>${markedText(paragraph)}</p>`)}
    ${summary && itemGroups(planItems(summary, undefined))}
    ${summary && summary.omitted > 0 && html`<p>… and ${summary.omitted} more resources: see the log.</p>`}
  </section>`;
}
