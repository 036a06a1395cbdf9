/** What people may do with a deployment, as buttons. A pure function of the view. */
import { BUTTONS } from '@nereid/contracts';
import type { LaneName } from '@nereid/github';
import { buttonForm, type ButtonForm } from '../actions/buttons.ts';
import type { Actor } from '../login/visitor/actor-of.ts';
import { html, type Html } from '../platform/html/html.ts';
import type { DeploymentView, Offer } from './deployment-view.ts';

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
  if (actor === undefined || view.offers.length === 0) return undefined;
  const forms = view.offers.map((offer) => formOf(offer, view)).filter((form) => form !== undefined);
  return html`<section class="acts" aria-label="What you can do with ${view.lane.rootName}">
    ${forms.map((form) => buttonForm(actor, toTop, { ...form, id: form.id + idSuffix }))}
  </section>`;
}

function formOf(offer: Offer, view: DeploymentView): ButtonForm | undefined {
  const { id, lane, seen = '' } = view;
  const of = (operation: string) => `/deployments/${id}/${operation}?lane=${encodeURIComponent(textOf(lane))}`;
  switch (offer) {
    case 'confirm':
      return {
        ...ofButton(offer),
        look: 'primary',
        path: of('review'),
        fields: { answer: BUTTONS.confirm.answer, seen },
      };
    case 'reject':
      return { ...ofButton(offer), path: of('review'), fields: { answer: BUTTONS.reject.answer, seen } };
    case 'override':
      return { ...ofButton(offer), path: of('override'), fields: { seen } };
    case 'unlock':
      return {
        ...ofButton(offer),
        path: `/lanes/${textOf(lane)}/unlock`,
        fields: { deployment: view.lock?.deploymentId ?? id },
      };
    case 'cancel':
      return { id: offer, label: 'Cancel', description: 'End this deployment', look: 'danger', path: of('cancel') };
    case 'rerun':
      return { id: offer, label: 'Re-run', description: 'Deploy this revision once more', path: of('rerun') };
    case 'merge':
      return mergeForm(view);
  }
}

function textOf({ owner, name, rootName }: LaneName): string {
  return `${owner}/${name}/${rootName}`;
}

function ofButton(kind: keyof typeof BUTTONS): Pick<ButtonForm, 'id' | 'label' | 'description'> {
  const { label, description } = BUTTONS[kind];
  return { id: kind, label, description };
}

function mergeForm({ id, lane, deployment, seen = '' }: DeploymentView): ButtonForm | undefined {
  const { pullRequest } = deployment;
  if (pullRequest === undefined) return undefined;
  const path = `/pulls/${lane.owner}/${lane.name}/${pullRequest}/confirm`;
  return { ...ofButton('merge'), look: 'primary', path, fields: { root: lane.rootName, preview: id, seen } };
}
