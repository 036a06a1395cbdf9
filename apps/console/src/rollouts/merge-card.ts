/** One merge at a glance: how many of its roots stand where, as a bar and in words. Pure. */
import { STANDS, type RolloutSummary, type Stand } from '@nereid/api';
import { shortSha } from '@nereid/domain/deployment';
import { STAND_LOOK } from '@nereid/domain/looks';
import { html, type Html } from '../platform/html/html.ts';
import { iconOf } from '../platform/html/icons.ts';
import { rolloutPath } from '../platform/html/paths.ts';
import { when } from '../platform/html/when.ts';

/** Below it, `more` of it, such as the lanes that need a person. From the console's top. */
export function mergeCard(rollout: RolloutSummary, more?: Html): Html {
  const { repository, sha, title, author, at, counts, halted } = rollout;
  return html`<li class="card merge">
    <p class="head">
      <a href="${rolloutPath(repository, sha)}"><bdi>${title === '' ? shortSha(sha) : title}</bdi></a>
      <span class="quiet"><code>${shortSha(sha)}</code> ${repository}, by <bdi>${author}</bdi>, ${when(at)}</span>
    </p>
    ${halted !== undefined && html`<p class="note warning">${halted}</p>`} ${standBar(counts)}
    <p class="legend">
      ${standLegend(counts)}
      ${counts.review !== undefined && html`<a href="${rolloutPath(repository, sha)}/plans">${reviewText(counts.review)}</a>`}
    </p>
    ${more}
  </li>`;
}

/** Of the link to all plans of a merge that wait for a person. */
export function reviewText(count: number): string {
  return count === 1 ? 'Review it' : `Review all ${count}`;
}

type Counts = RolloutSummary['counts'];

function shown(counts: Counts): readonly { readonly stand: Stand; readonly count: number }[] {
  return STANDS.flatMap((stand) => {
    const count = counts[stand] ?? 0;
    return count === 0 ? [] : [{ stand, count }];
  });
}

/** The legend says the same in words. */
export function standBar(counts: Counts): Html {
  const parts = shown(counts);
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  let from = 0;
  const segments = parts.map(({ stand, count }) => {
    const x = from;
    from += count;
    return html`<rect class="${stand}" x="${x}" y="0" width="${count}" height="1"></rect>`;
  });
  return html`<svg class="stands" viewBox="0 0 ${Math.max(1, total)} 1" preserveAspectRatio="none" aria-hidden="true">
    ${segments}
  </svg>`;
}

export function standLegend(counts: Counts): Html {
  return html`${shown(counts).map(({ stand, count }) => {
    const { icon, mood, word } = STAND_LOOK[stand];
    return html`<span class="mood ${mood}">${iconOf(icon)} ${count} ${word.toLowerCase()}</span> `;
  })}`;
}
