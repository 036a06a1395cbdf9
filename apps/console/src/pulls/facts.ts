/** Below the plans: which commits they are of, the heads before, and links. Pure functions. */
import { shortSha } from '@nereid/domain/deployment';
import { html, type Html } from '../platform/html/html.ts';
import { when } from '../platform/html/when.ts';
import type { PullRequestView, ShownHead } from './pull-request-view.ts';

export function aboutSection({ look, links }: PullRequestView): Html | undefined {
  if (look === undefined) return undefined;
  const { headSha, baseBranch, baseSha, at } = look;
  const head = html`<code>${shortSha(headSha)}</code>`;
  return html`<section class="card" aria-labelledby="about">
    <h2 id="about">Commits</h2>
    <dl>
      <div>
        <dt>Head</dt>
        <dd>${links.commit ? html`<a href="${links.commit}">${head}</a>` : head}</dd>
      </div>
      <div>
        <dt>Merged with</dt>
        <dd><code>${baseBranch}</code>${baseSha !== undefined && html` at <code>${shortSha(baseSha)}</code>`}</dd>
      </div>
      <div>
        <dt>Looked at</dt>
        <dd>${when(at)}</dd>
      </div>
    </dl>
  </section>`;
}

export function headsSection({ heads }: PullRequestView): Html | undefined {
  if (heads.length === 0) return undefined;
  return html`<section class="card" aria-labelledby="heads">
    <h2 id="heads">Earlier heads</h2>
    <ol class="heads">
      ${heads.map(headItem)}
    </ol>
  </section>`;
}

function headItem({ headSha, at, title, conclusion, commit }: ShownHead): Html {
  const mood = conclusion === undefined ? 'neutral' : HEAD_MOOD[conclusion];
  return html`<li>
    <a href="${commit}"><code>${shortSha(headSha)}</code></a>
    <span class="mood ${mood}">${title ?? 'Nothing was shown'}</span> ${when(at)}
  </li>`;
}

const HEAD_MOOD = { success: 'good', failure: 'bad', neutral: 'neutral', action_required: 'waiting' } as const;

export function linksSection({ links }: PullRequestView): Html {
  return html`<nav aria-label="Elsewhere">
    <ul class="links">
      ${link('Pull request', links.pullRequest)}${link('Check run', links.checkRun)}${link('Workflow in Temporal', links.workflow)}
    </ul>
  </nav>`;
}

function link(text: string, href: string | undefined): Html | false {
  return href !== undefined && html`<li><a href="${href}">${text}</a></li>`;
}
