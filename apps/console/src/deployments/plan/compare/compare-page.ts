/** The page that says what is different between two plans of one root. A pure function. */
import { planCounts, shortSha } from '@nereid/domain/deployment';
import { STATUS_LOOK } from '@nereid/domain/looks';
import { planParts } from '@nereid/texts';
import { html, type Content, type Html } from '../../../platform/html/html.ts';
import { deploymentPath } from '../../../platform/html/paths.ts';
import { when } from '../../../platform/html/when.ts';
import type { DeploymentView, ShownPlanText } from '../../deployment-view.ts';
import { queryText, type Access } from '../page-query.ts';
import type { PlanLook } from '../plan-filter.ts';
import { planTextBlock, rowsBlock } from '../plan-text.ts';
import { createEffort, rowsOfBoth, type Effort } from '../rows/text-rows.ts';
import { viewSwitch } from '../view-switch.ts';
import { comparePlans, type ComparedPart, type PlanComparison } from './compare-plans.ts';

export interface ComparedPlans extends PlanLook {
  /** The page's own. */
  readonly after: DeploymentView;
  readonly before: DeploymentView;
  readonly access: Access;
}

/** From the page `/deployments/<id>/compare/<other>`. */
export const COMPARE_TO_TOP = '../../../';

export function compareBody({ before, after, view, access }: ComparedPlans): Html {
  const [old, next] = [textIn(before), textIn(after)];
  return html`<dl class="card">
      <div>
        <dt>− before</dt>
        <dd>${plannedIn(before)}</dd>
      </div>
      <div>
        <dt>+ this plan</dt>
        <dd>${plannedIn(after)}</dd>
      </div>
    </dl>
    ${
      old === undefined || next === undefined
        ? html`<p class="note" role="alert">${unreadable(old === undefined ? before : after)}</p>`
        : html`${shortened(old, next)}${viewSwitch(view, (to) => `${before.id}${queryText({ ...access, view: to })}`)}${differences(comparePlans(old, next), { view })}`
    }`;
}

const NOTHING: ShownPlanText = { ...planParts(''), leftOut: 0, isShortened: false };

/** A plan without changes has no text, and what a removed root leaves behind is no plan. */
function textIn({ progress, planText, deployment }: DeploymentView): ShownPlanText | undefined {
  const made = progress.plan?.made.body;
  if (made === undefined || deployment.preview?.isRemoval) return undefined;
  return made.hasChanges ? planText : NOTHING;
}

function unreadable({ id, progress, deployment }: DeploymentView): string {
  const hasNone = progress.plan === undefined || deployment.preview?.isRemoval;
  const why = hasNone ? 'has no plan' : 'has a plan whose text cannot be read now';
  return `These plans cannot be compared: ${id} ${why}.`;
}

function plannedIn({ id, lane, progress, deployment }: DeploymentView): Html {
  const { preview, revision, receivedAt } = deployment;
  const made = progress.plan?.made.body;
  const counts = made === undefined ? '' : made.hasChanges ? planCounts(made.summary) : 'no changes';
  return html`<a href="${COMPARE_TO_TOP}${deploymentPath(id, lane)}">${nameOf(id, deployment)}</a>
    ${preview?.reverts ? 'to' : 'of'} <code>${shortSha(revision.sha)}</code>, ${when(receivedAt)}:
    ${STATUS_LOOK[progress.status].word.toLowerCase()}, ${counts}`;
}

function nameOf(id: string, { trigger, pullRequest, preview }: DeploymentView['deployment']): string {
  if (preview?.reverts) return `Going back from ${shortSha(preview.headSha)}`;
  if (trigger !== 'preview') return `Deployment ${id.slice(0, 8)}`;
  return pullRequest === undefined ? 'Preview' : `Preview of #${pullRequest}`;
}

function shortened(...texts: readonly ShownPlanText[]): Content {
  const isWhole = texts.every(({ leftOut, isShortened }) => leftOut === 0 && !isShortened);
  return (
    !isWhole &&
    html`<p class="note warning" role="alert">
      These plans are too long to compare in full, so some differences may not be shown: see their logs.
    </p>`
  );
}

/** Of each kind; a person who compares so many looks for something else. */
const PARTS_SHOWN = 100;

function differences({ changed, added, removed, same }: PlanComparison, look: PlanLook): Html {
  const effort = createEffort();
  const isSame = changed.length + added.length + removed.length === 0;
  return html`${isSame && html`<p class="note">The two plans are the same, line by line.</p>`}
  ${group('Different', 'change', changed, ({ before, after }) => rowsBlock(rowsOfBoth(before, after, effort), look))}
  ${group('Only in this plan', 'create', added, wholePart(effort))}
  ${group('Only before', 'destroy', removed, wholePart(effort))}
  ${
    same.length > 0 &&
    html`<details class="changes move" id="same">
      <summary>The same <span class="count">${same.length}</span></summary>
      <ul>
        ${same.slice(0, PARTS_SHOWN).map((name) => html`<li><code>${name}</code></li>`)}
      </ul>
      ${moreThan(same.length)}
    </details>`
  }`;
}

function wholePart(effort: Effort): (part: ComparedPart) => Html {
  return ({ lines }) => planTextBlock(lines, effort);
}

/** The first ones are open. */
const OPEN_PARTS = 10;

function group<Part extends { readonly name: string }>(
  title: string,
  look: string,
  parts: readonly Part[],
  body: (part: Part) => Html,
): Html | undefined {
  if (parts.length === 0) return undefined;
  return html`<details open class="changes ${look}" id="compared-${look}">
    <summary>${title} <span class="count">${parts.length}</span></summary>
    <ul>
      ${parts.slice(0, PARTS_SHOWN).map(
        (part, index) =>
          html`<li>
            <details class="resource" ${index < OPEN_PARTS && html` open`}>
              <summary><code>${part.name}</code></summary>
              ${body(part)}
            </details>
          </li>`,
      )}
    </ul>
    ${moreThan(parts.length)}
  </details>`;
}

function moreThan(count: number): Html | false {
  return count > PARTS_SHOWN && html`<p>… and ${count - PARTS_SHOWN} more.</p>`;
}
