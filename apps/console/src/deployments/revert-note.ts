/** After a failed apply, what going back would do. A pure function. */
import type { RevertPart } from '@nereid/domain/deployment';
import { html, type Content, type Html } from '../platform/html/html.ts';
import type { DeploymentView } from './deployment-view.ts';

/** `query` as in the page's own address. */
export function revertNote({ revert }: DeploymentView, query: string): Html | undefined {
  if (revert === undefined) return undefined;
  const { sentence, way, deploymentId, pullRequest } = revert;
  // A link opens one deployment.
  const plan = !new URLSearchParams(query).has('key') && html` <a href="${deploymentId}${query}">See the plan</a>.`;
  return html`<p class="note">${sentence}${plan} ${way.map((part) => contentOf(part, pullRequest))}</p> `;
}

function contentOf(part: RevertPart, url: string | undefined): Content {
  if (typeof part === 'string') return part;
  if (part.kind === 'revert') return html`<strong>Revert</strong>`;
  const number = `#${part.number}`;
  return url === undefined ? number : html`<a href="${url}">${number}</a>`;
}
