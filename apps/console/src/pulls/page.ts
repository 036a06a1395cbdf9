/** The page of a pull request's plans: what its merge would change, root by root. A pure function of the view. */
import { hasEnded } from '@nereid/domain/deployment';
import { fullName } from '@nereid/domain/root';
import { buttonForm } from '../actions/buttons.ts';
import { configWarningsSection } from '../deployments/config-warnings.ts';
import { UNAVAILABLE } from '../deployments/unavailable.ts';
import type { Actor } from '../login/visitor/actor-of.ts';
import { html, type Html } from '../platform/html/html.ts';
import { lanesPath } from '../platform/html/paths.ts';
import { sitePage } from '../platform/html/site.ts';
import { when } from '../platform/html/when.ts';
import type { Who } from '../platform/html/who.ts';
import { aboutSection, headsSection, linksSection } from './facts.ts';
import { planSections } from './plan-sections.ts';
import { byWeight, describePreview } from './describe-preview.ts';
import type { PullRequestView } from './pull-request-view.ts';
import { rootsTable } from './roots-table.ts';

export function pullRequestPage(view: PullRequestView, actor?: Actor, who?: Who): Html {
  const { pull, title } = view;
  const repository = fullName(pull);
  return sitePage('lanes', pullRequestFragment(view, actor), {
    title: `#${pull.number} · ${repository}`,
    heading: html`Plans of #${pull.number}${title !== undefined && html` <bdi class="quiet">${title}</bdi>`}`,
    place: [{ text: repository, path: lanesPath(repository) }, { text: `#${pull.number}` }],
    ...{ toTop: TO_TOP, who },
    live: { fragment: `${pull.number}/fragment`, events: { repository, pull: String(pull.number) } },
  });
}

/** From the page `/pulls/<owner>/<repo>/<number>`. */
const TO_TOP = '../../../';

/** The part of the page that its script asks for when something has changed. */
export function pullRequestFragment(view: PullRequestView, actor?: Actor): Html {
  const { look, unavailable, verdict } = view;
  const previews = view.previews.toSorted(byWeight);
  const isOver = look?.isOpen === false && unavailable.length === 0;
  return html`<div id="state" data-ended="${isOver ? 'yes' : 'no'}">
    <p class="status ${moodOf(view)}"><strong>${view.headline}</strong></p>
    ${unavailable.map((source) => html`<p class="note warning" role="alert">${UNAVAILABLE[source]}</p> `)}
    ${notesOf(view).map((note) => html`<p class="note">${note}</p> `)}${configWarningsSection(view.configWarnings)}
    ${verdict && verdict.lines.length > 0 && html`<pre class="card" tabindex="0">${verdict.lines.join('\n')}</pre>`}
    ${planAgainForm(view, actor)} ${previews.length > 0 && rootsTable(previews)}
    ${planSections(previews, view.pull, actor)} ${aboutSection(view)} ${headsSection(view)} ${linksSection(view)}
  </div>`;
}

function planAgainForm({ pull, look }: PullRequestView, actor: Actor | undefined): Html | undefined {
  if (actor === undefined || look?.isOpen !== true) return undefined;
  return buttonForm(actor, TO_TOP, {
    action: 'plan',
    parameters: { owner: pull.owner, name: pull.name, number: pull.number },
  });
}

function notesOf({ look, previews, unplanned, verdict }: PullRequestView): readonly Html[] {
  return [
    ...(look === undefined ? [html`It is looked at within minutes.`] : []),
    ...(look?.isOpen === false
      ? [html`It is merged or closed${previews.length > 0 && ': these were its last plans'}, ${when(look.at)}.`]
      : []),
    ...(look?.isOpen === true && previews.length === 0 && verdict === undefined
      ? [html`Merging it deploys nothing, or pull requests of this repository are not planned.`]
      : []),
    ...(unplanned > 0
      ? [html`${unplanned} more ${unplanned === 1 ? 'root is' : 'roots are'} not planned: comment their names.`]
      : []),
  ];
}

/** While nothing is, only a push or a deployment changes something, and nobody waits for that at the page. */
export function isUnderWay({ look, previews, unavailable }: PullRequestView): boolean {
  const isOpen = previews.some(({ planned }) => planned !== undefined && !hasEnded(planned.progress.status));
  return look === undefined || isOpen || unavailable.length > 0;
}

type Mood = 'waiting' | 'working' | 'good' | 'bad' | 'neutral';

const VERDICT_MOOD = { success: 'good', failure: 'bad', neutral: 'neutral', action_required: 'waiting' } as const;

function moodOf(view: PullRequestView): Mood {
  const { look, previews, unplanned, verdict } = view;
  if (look?.isOpen === false) return 'neutral';
  if (verdict) return VERDICT_MOOD[verdict.conclusion];
  if (look !== undefined && previews.length === 0) return 'neutral';
  if (isUnderWay(view)) return 'working';
  if (previews.some((preview) => describePreview(preview).look.mood === 'bad')) return 'bad';
  return unplanned > 0 || previews.some(({ outdatedBy, ahead }) => outdatedBy !== undefined || ahead !== undefined)
    ? 'waiting'
    : 'good';
}
