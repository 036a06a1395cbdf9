/**
 * All plans of a rollout that wait for a person, to read and to answer. It does not update itself, so that nothing changes under the
 * reader: an answer names what was shown, and is refused when the plan is another one by then. A pure function.
 */
import type { DeploymentView } from '../deployments/deployment-view.ts';
import { offersSection, warningNotes } from '../deployments/offers.ts';
import { planSection } from '../deployments/plan/plan-section.ts';
import type { Actor } from '../login/visitor/actor-of.ts';
import { html, type Html } from '../platform/html/html.ts';
import { unavailableNote } from '../platform/html/notes.ts';
import { deploymentPath, planPath } from '../platform/html/paths.ts';
import { when } from '../platform/html/when.ts';
import type { WaitingPlans } from './find-plans.ts';

/** From the page `/rollouts/<owner>/<repo>/<sha>/plans`. */
export const PLANS_TO_TOP = '../../../../';

/** Ids of buttons begin with the name of their answer. */
const CONFIRM = 'confirm-';

export function plansBody({ rollout, views, unavailable, omitted }: WaitingPlans, actor: Actor | undefined): Html {
  const { sha, author, at, unavailable: away } = rollout;
  const confirmable = views.filter(({ offers }) => offers.includes('confirm'));
  return html`${unavailableNote(away)}
    <p class="place">by <bdi>${author}</bdi>, ${when(at)} · <a href="../${sha}">all its roots</a></p>
    ${unavailable.map((root) => html`<p class="note warning" role="alert">The plan of ${root} cannot be shown now: load the page again in a moment.</p>`)}
    ${views.length === 0 && unavailable.length === 0 && html`<p class="card">No plan of this revision waits for a person.</p>`}
    ${actor !== undefined && confirmable.length > 1 && confirmAll(confirmable.length)}
    ${views.map((view) => planOf(view, actor))}
    ${omitted > 0 && html`<p class="note">${omitted} more wait: answer these, then load the page again.</p>`}`;
}

/** Its script presses the button of each plan, so each answer names its own plan, and is judged on its own. */
function confirmAll(count: number): Html {
  return html`<p class="act" hidden>
    <button class="primary" type="button" data-presses="${CONFIRM}" title="Press Confirm of each plan below">
      Confirm all ${count} plans below
    </button>
    <span class="said" role="status"></span>
  </p>`;
}

function planOf(view: DeploymentView, actor: Actor | undefined): Html {
  const { id, lane, progress } = view;
  return html`<section aria-labelledby="root-${id}">
    <h2 id="root-${id}"><a href="${PLANS_TO_TOP}${deploymentPath(id, lane)}">${lane.rootName}</a></h2>
    ${progress.plan && planSection(progress.plan.made.body, { overrides: progress.overrides, text: view.planText, id: `plan-${id}`, path: `${PLANS_TO_TOP}${planPath(id, lane)}` })}
    ${warningNotes(view.warnings)} ${offersSection(view, actor, { toTop: PLANS_TO_TOP, idSuffix: `-${id}` })}
  </section>`;
}
