/** The changes or the failure of each root, below the table. Pure functions. */
import type { PullRequestName } from '@nereid/domain/console';
import type { ConfirmedForMerge, Plan } from '@nereid/domain/plan';
import { REMOVAL_HELP, whatStays } from '@nereid/texts';
import { planCounts, warningCount } from '@nereid/domain/deployment';
import { buttonForm } from '../actions/buttons.ts';
import { warningNotes } from '../deployments/offers.ts';
import { permalinksTo } from '../deployments/plan/item-groups.ts';
import { changeGroups, planWarningList } from '../deployments/plan/plan-section.ts';
import type { Actor } from '../login/visitor/actor-of.ts';
import { html, type Html } from '../platform/html/html.ts';
import { markedText } from '../platform/html/marked-text.ts';
import { when } from '../platform/html/when.ts';
import { changesOf } from './describe-preview.ts';
import type { PreviewView } from './pull-request-view.ts';

const TO_TOP = '../../../';

/** A page of a hundred roots stays a page: the page of each plan, one click away, has the rest. */
const ADDRESS_LIMIT = 50;
const LINES_LIMIT = 30;

/** Those of more roots are folded at first. */
const OPEN_LIMIT = 5;

/** Of roots that change, failed or have warnings; the table says the rest. */
export function planSections(
  previews: readonly PreviewView[],
  pull: PullRequestName,
  actor: Actor | undefined,
): readonly Html[] {
  const shown = previews.filter((one) => {
    const { failure, plan } = one.planned?.progress ?? {};
    return changesOf(one) !== undefined || failure !== undefined || plan?.made.body.warnings !== undefined;
  });
  return shown.map((preview, index) => section(preview, index < OPEN_LIMIT, confirmForm(preview, pull, actor)));
}

function confirmForm(
  { rootName, deploymentId: preview, seen }: PreviewView,
  { owner, name, number }: PullRequestName,
  actor: Actor | undefined,
): Html | undefined {
  if (actor === undefined || seen === undefined) return undefined;
  return buttonForm(actor, TO_TOP, {
    action: 'merge',
    idSuffix: `-${rootName}`,
    parameters: { owner, name, number },
    fields: { root: rootName, preview, seen },
  });
}

function section(preview: PreviewView, isOpen: boolean, button: Html | undefined): Html {
  const { rootName, path, planned } = preview;
  const page = `${TO_TOP}${path}`;
  // Links take five times the room of their addresses. Nothing is planned where a root is removed.
  const permalink = isOpen && !preview.isRemoval ? permalinksTo(page.replace('?', '/plan?')) : undefined;
  const summary = changesOf(preview);
  const { failure, plan } = planned?.progress ?? {};
  const listed = summary === undefined ? 0 : Math.min(ADDRESS_LIMIT, summary.resources.length);
  const left = summary === undefined ? 0 : summary.resources.length - listed + summary.omitted;
  return html`<details class="card root" id="plan-${rootName}" ${isOpen && 'open'}>
    <summary>
      <strong>${rootName}</strong>
      <span class="quiet">${failure === undefined ? resultOf(preview, plan) : failure.body.summary}</span>
    </summary>
    <p class="quiet">
      <code>${planned?.dir}</code
      >${planned && planned.workspace !== 'default' && html`, workspace <code>${planned.workspace}</code>`}, asked for
      ${planned && when(planned.receivedAt)} ·
      <a href="${page}">Its page</a>${planned?.progress.jobs.plan && html` · <a href="${page}#log-plan">Log</a>`}
    </p>
    ${preview.isRemoval && html`<p>Nothing destroys what its state holds. ${markedText(REMOVAL_HELP)}</p>`}
    ${failure && html`<pre tabindex="0">${failure.body.lines.slice(0, LINES_LIMIT).join('\n')}</pre>`}
    ${plan?.made.body.warnings && planWarningList(plan.made.body.warnings)}
    ${summary && changeGroups(summary, { limit: ADDRESS_LIMIT, idPrefix: `plan-${rootName}`, permalink })}
    ${left > 0 && html`<p>… and ${left} more: see <a href="${page}">its page</a>.</p>`}
    ${planned && warningNotes(planned.warnings)}${planned?.confirmedForMerge && confirmedNote(planned.confirmedForMerge)}${button}
  </details>`;
}

function confirmedNote({ by, at }: ConfirmedForMerge): Html {
  return html`<p class="note">Confirmed for the merge by @${by}, ${when(at)}.</p>`;
}

function resultOf({ isRemoval }: PreviewView, plan: Plan | undefined): string {
  if (plan === undefined) return '';
  if (isRemoval) return whatStays(plan.made.body.summary.forget);
  return `${plan.made.body.hasChanges ? planCounts(plan.made.body.summary) : 'no changes'}${warningCount(plan)}`;
}
