/** Everything on a deployment's page that changes, except the text of the logs. A pure function of the view. */
import { hasEnded, readWaitAtGate, shortSha } from '@nereid/domain/deployment';
import { STATUS_LOOK } from '@nereid/domain/looks';
import { fullName } from '@nereid/domain/root';
import type { Actor } from '../login/visitor/actor-of.ts';
import { html, type Html } from '../platform/html/html.ts';
import { iconOf } from '../platform/html/icons.ts';
import { rolloutPath } from '../platform/html/paths.ts';
import { when } from '../platform/html/when.ts';
import type { PendingActivity } from '../platform/temporal/ask-pending.ts';
import { configWarningsSection } from './config-warnings.ts';
import type { DeploymentView } from './deployment-view.ts';
import { stopNote } from '../stops/stop-note.ts';
import { offersSection, warningNotes } from './offers.ts';
import { confirmedPlanNote } from './plan/compare/other-plans.ts';
import { planSection } from './plan/plan-section.ts';
import { removalSection } from './plan/removal-section.ts';
import { revertNote } from './revert-note.ts';
import { timelineOf, type Step } from './timeline.ts';
import { UNAVAILABLE } from './unavailable.ts';
import { waitOf } from './wait.ts';

/** From the page `/deployments/<id>`. */
export const TO_TOP = '../';

/** `data-ended` tells the page's script that nothing more will change; `query` as in the page's own address. */
export function stateFragment(view: DeploymentView, query: string, actor?: Actor): Html {
  const { progress, unavailable, links } = view;
  const { icon, mood, word } = STATUS_LOOK[progress.status];
  const wait = waitOf(view);
  return html`<div id="state" data-ended="${hasEnded(progress.status) && unavailable.length === 0 ? 'yes' : 'no'}">
    <p class="status ${mood}"><strong>${iconOf(icon)} ${word}</strong>${outcomeOf(view)}</p>
    ${unavailable.map((source) => html`<p class="note warning" role="alert">${UNAVAILABLE[source]}</p> `)}${stopsPart(view)}${reviewNote(view)}${wait && html`<p class="note">${wait}</p> `}${glassNote(view)}${warningNotes(view.warnings)}${offersSection(view, actor, { toTop: TO_TOP })}
    <ol class="timeline">
      ${timelineOf(view).map(stepItem)}
    </ol>
    ${pendingSection(view)}${revertNote(view, query)}${failureSection(view)}${confirmedPlanNote(view, query)}${planOrRemoval(view, query)}${configWarningsSection(view.deployment.configWarnings)}
    ${aboutSection(view, actor)}
    <nav aria-label="Elsewhere">
      <ul class="links">
        ${[
          link('Check run', links.checkRun),
          link('Commit', links.commit),
          link('Pull request', links.pullRequest),
          link('Workflow in Temporal', links.workflow),
          link('Lane in Temporal', links.laneWorkflow),
        ]}
      </ul>
    </nav>
  </div>`;
}

function planOrRemoval(view: DeploymentView, query: string): Html | undefined {
  const { id, planText: text, progress } = view;
  const { plan, overrides } = progress;
  return removalSection(view) ?? (plan && planSection(plan.made.body, { overrides, text, path: `${id}/plan${query}` }));
}

/** One that waits for a thaw already says so itself. */
function stopsPart({ progress: { waitsFor }, stops = [] }: DeploymentView): Html | undefined {
  return readWaitAtGate(waitsFor)?.gate === 'stop' ? undefined : stopNote(stops, TO_TOP);
}

/** Another plan than the one that was confirmed waits, or what was confirmed has not begun: the reason says why. */
function reviewNote({ progress: { status, reason } }: DeploymentView): Html | false {
  const isShown = status === 'awaiting-review' && reason !== undefined;
  return isShown && html`<p class="note warning">${reason}</p> `;
}

/** Who let it pass stops and windows. */
function glassNote({ progress: { glass } }: DeploymentView): Html | false {
  if (glass === undefined) return false;
  const { by, at, reason } = glass.body;
  return html`<p class="note warning">@${by} let it pass stops and windows, ${when(at)}: <bdi>${reason}</bdi></p> `;
}

/** The reason for an outcome, unless `waitOf` shows it. */
function outcomeOf({ progress: { status, reason } }: DeploymentView): Html | false {
  const isShownElsewhere = reason === undefined || !hasEnded(status) || status === 'apply-outcome-unknown';
  return !isShownElsewhere && html` <span>${reason}</span>`;
}

function stepItem({ title, state, at, detail }: Step): Html {
  return html`<li class="${state}" ${state === 'current' && html` aria-current="step"`}>
    <span class="title">${title}</span>
    ${at !== undefined && when(at)}${detail !== undefined && html`<span class="detail">${detail}</span>`}
  </li>`;
}

/** For people who look for the reason of a delay. */
function pendingSection({ pending = [] }: DeploymentView): Html | undefined {
  if (pending.length === 0) return undefined;
  return html`<section class="card" aria-labelledby="pending">
    <h2 id="pending">Current step of its workflow</h2>
    <ul class="pending">
      ${pending.map(pendingItem)}
    </ul>
  </section> `;
}

function pendingItem({ activity, attempt, isRunning, nextAttemptAt, lastFailure }: PendingActivity): Html {
  const does = isRunning
    ? html`runs`
    : nextAttemptAt === undefined
      ? html`waits for a worker`
      : html`waits for its next attempt, due ${when(nextAttemptAt)}`;
  return html`<li>
    <code>${activity}</code>
    ${does}${attempt > 1 && html`, attempt ${attempt}`}${lastFailure !== undefined && html`. Last failure: <bdi>${lastFailure}</bdi>`}
  </li>`;
}

function failureSection({ progress: { failure } }: DeploymentView): Html | undefined {
  return (
    failure &&
    html`<section class="card failure" aria-labelledby="failure">
      <h2 id="failure">${failure.body.summary}</h2>
      <pre tabindex="0">${failure.body.lines.join('\n')}</pre>
    </section> `
  );
}

function aboutSection({ deployment, id, lane, trace, links }: DeploymentView, actor: Actor | undefined): Html {
  const { revision, trigger, rerun, force, requestedBy, receivedAt, pullRequest } = deployment;
  const isOnBranch = trigger === 'merge' || rerun;
  const why =
    trigger === 'preview'
      ? whyPlanned(deployment)
      : isOnBranch
        ? html`Merged to <code>${revision.branch}</code>`
        : 'Deployed by hand';
  const sha = html`<code>${shortSha(revision.sha)}</code>`;
  return html`<section class="card" aria-labelledby="about">
    <h2 id="about">${trigger === 'preview' ? 'What is planned' : 'What is deployed'}</h2>
    <dl>
      <div>
        <dt>Revision</dt>
        <dd>
          ${links.commit ? html`<a href="${links.commit}">${sha}</a>` : sha} <bdi>${revision.title}</bdi>
          <span class="quiet">by <bdi>${revision.author}</bdi>, as the commit says</span>
        </dd>
      </div>
      <div>
        <dt>Why</dt>
        <dd>
          ${why}${pullRequest !== undefined && html`, pull request #${pullRequest}`}${rerun && ', as a re-run'}${force && ', requirements skipped'}${actor && isOnBranch && html` · <a href="${TO_TOP}${rolloutPath(fullName(lane), revision.sha)}">all its roots</a>`}
        </dd>
      </div>
      <div>
        <dt>Asked for</dt>
        <dd>by <bdi>${requestedBy}</bdi>, ${when(receivedAt)}</dd>
      </div>
      <div>
        <dt>Deployment</dt>
        <dd><code>${id}</code>${trace !== undefined && html`, in the trace <code>${trace}</code>`}</dd>
      </div>
    </dl>
  </section>`;
}

function whyPlanned({ preview }: DeploymentView['deployment']): string {
  return preview?.reverts
    ? `To see what going back from ${shortSha(preview.headSha)} would change`
    : 'To see what the merge would change';
}

function link(text: string, href: string | undefined): Html | false {
  return href !== undefined && html`<li><a href="${href}">${text}</a></li>`;
}
