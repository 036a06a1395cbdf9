/** What people may do with a deployment, as buttons. A pure function of the view. */
import { ACTIONS, type ConsoleUse, type OfferedAction } from '@nereid/domain/actions';
import { defined } from '@nereid/domain/defined';
import { uncapitalised } from '@nereid/domain/words';
import { buttonForm, REASON_INPUT, type ButtonForm } from '../actions/buttons.ts';
import type { Actor } from '../login/visitor/actor-of.ts';
import { html, type Html } from '../platform/html/html.ts';
import type { DeploymentView } from './deployment-view.ts';

/** Above the buttons, so that nobody presses before they have read it. */
export function warningNotes(warnings: readonly string[]): readonly Html[] {
  return warnings.map((warning) => html`<p class="note warning" role="alert">${warning}</p> `);
}

export interface OffersPlace {
  /** The relative path from the page to the console's top. */
  readonly toTop: string;
  /** Of the ids of its buttons, where a page has several deployments. */
  readonly idSuffix?: string;
}

export function offersSection(
  view: DeploymentView,
  actor: Actor | undefined,
  { toTop, idSuffix = '' }: OffersPlace,
): Html | undefined {
  // A preview of no pull request has none that could be merged.
  const offers = view.offers.filter((action) => action !== 'merge' || view.deployment.pullRequest !== undefined);
  if (actor === undefined || offers.length === 0) return undefined;
  return html`<section class="acts" aria-label="What you can do with ${view.lane.rootName}">
    ${offers.map((action) => buttonForm(actor, toTop, { ...formOf(view), ...inputsOf(action), action, idSuffix }))}
    <p class="quiet">${offers.map(describeButton).join(' ')}</p>
  </section>`;
}

function describeButton(action: OfferedAction): string {
  const { label, description } = ACTIONS[action];
  return `${label}: ${uncapitalised(description)}.`;
}

/** What the person has to say. */
function inputsOf(action: OfferedAction): Pick<ButtonForm, 'inputs'> {
  const { body }: ConsoleUse = ACTIONS[action].console;
  if (!Object.values(body).includes('reason')) return {};
  return { inputs: REASON_INPUT };
}

/** Of which each action has its own parts. */
function formOf({ id, lane, deployment, lock, seen = '' }: DeploymentView): Omit<ButtonForm, 'action'> {
  const { owner, name, rootName: root } = lane;
  return {
    parameters: { id, owner, name, root, ...defined({ number: deployment.pullRequest }) },
    lane: `${owner}/${name}/${root}`,
    fields: { seen, root, preview: id, deployment: lock?.deploymentId ?? id },
  };
}
