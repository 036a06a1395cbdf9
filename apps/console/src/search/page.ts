/** The page `/search`. A pure function of what was found. */
import { shortSha } from '@nereid/domain/deployment';
import { LANE_LOOK, STATUS_LOOK } from '@nereid/domain/looks';
import { fullName } from '@nereid/domain/root';
import { html, type Html } from '../platform/html/html.ts';
import { stateMark } from '../platform/html/icons.ts';
import { deploymentPath } from '../platform/html/paths.ts';
import { mergeCard } from '../rollouts/merge-card.ts';
import type { Matches } from './matches-of.ts';

export function searchBody({ text, lanes, rollouts, deployments }: Matches): Html {
  if (text === '')
    return html`<p class="card">
      Type a part of the name of a root or of a repository, of a commit's title, its SHA, the id of a deployment, or a
      person's login. ${SEARCHED}
    </p>`;
  if (lanes.length + rollouts.length + deployments.length === 0)
    return html`<p class="card">
      Nothing that you may see matches “<bdi>${text}</bdi>”. ${SEARCHED} <a href="activity">Activity</a> goes further
      back.
    </p>`;
  return html`<p class="quiet">${SEARCHED}</p>
    ${section(
      'Roots',
      lanes.map(
        ({ repository, rootName, state }) =>
          html`<li class="card">
            ${stateMark(LANE_LOOK[state])} <a href="lanes/${repository}/${rootName}">${rootName}</a>
            <span class="quiet">${repository}</span>
          </li>`,
      ),
    )}${section(
      'Merges',
      rollouts.map((rollout) => mergeCard(rollout)),
    )}${section(
      'Deployments',
      deployments.map(
        ({ id, lane, status, revision }) =>
          html`<li class="card">
            ${stateMark(STATUS_LOOK[status])} <a href="${deploymentPath(id, lane)}"><code>${id}</code></a>
            <span class="quiet">${lane.rootName} of ${fullName(lane)}, <code>${shortSha(revision.sha)}</code></span>
          </li>`,
      ),
    )}`;
}

const SEARCHED = 'Searches all roots, and the merges and deployments of the last days, but no logs and no plans.';

function section(title: string, items: readonly Html[]): Html | undefined {
  if (items.length === 0) return undefined;
  const id = title.toLowerCase();
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    <ul class="merges">
      ${items}
    </ul>
  </section>`;
}
