import { outcomeOf } from '../json/check-suite-json.ts';
import { latestOf, runsAt } from '../state/find.ts';
import type { CheckRun, Repository } from '../state/model.ts';
import type { World } from '../world.ts';
import { html, type Html } from './html.ts';
import { button, repositoryPath } from './layout.ts';
import { mayWrite } from './viewer.ts';

type Outcome = Pick<CheckRun, 'status' | 'conclusion'>;

/** The sign of a status, with its look and its name. */
export function checkMark({ status, conclusion }: Outcome): Html {
  const [sign, style] = SIGNS[status === 'completed' ? (conclusion ?? 'neutral') : status] ?? ['●', 'neutral'];
  const name = (conclusion ?? status).replaceAll('_', ' ');
  return html`<span class="mark ${style}" role="img" aria-label="${name}" title="${name}">${sign}</span>`;
}

/** One sign for all check runs of a commit; undefined when it has none. */
export function commitMark(world: World, repository: Repository, sha: string): Html | undefined {
  const latest = latestOf(runsAt(world.store, repository, sha));
  if (latest.length === 0) return undefined;
  return html`<a href="${repositoryPath(repository)}/commit/${sha}"
    >${checkMark(outcomeOf({ rerequested: false }, latest))}</a
  >`;
}

/** One sentence about all check runs of a commit, which names those that failed; undefined when it has none. */
export function checksSentence(world: World, repository: Repository, sha: string): Html | undefined {
  const latest = latestOf(runsAt(world.store, repository, sha));
  if (latest.length === 0) return undefined;
  const failed = latest.filter(({ conclusion }) => conclusion === 'failure' || conclusion === 'timed_out');
  const asks = latest.filter(({ conclusion }) => conclusion === 'action_required').length;
  const parts = [
    ...(failed.length > 0 ? [`${failed.map(({ name }) => name).join(', ')} failed`] : []),
    ...(asks > 0 ? [`${asks} ${asks === 1 ? 'waits' : 'wait'} for a person`] : []),
    ...(failed.length + asks === 0 ? [counted(latest.length)] : []),
  ];
  return html`${commitMark(world, repository, sha)} Checks of
    <a href="${repositoryPath(repository)}/commit/${sha}">the merge commit <code>${sha.slice(0, 7)}</code></a
    >: ${parts.join(', ')}`;
}

export interface ChecksBox {
  readonly repository: Repository;
  readonly viewer: string;
  readonly sha: string;
  /** Describes the commit, when a page has several. */
  readonly what?: string;
}

/** The newest check run of each name, with its buttons. */
export function checksBox(world: World, { repository, viewer, sha, what }: ChecksBox): Html {
  const latest = latestOf(runsAt(world.store, repository, sha)).sort((one, other) =>
    one.name.localeCompare(other.name),
  );
  const suite = latest[0]?.suiteId;
  const rerunAll = `${repositoryPath(repository)}/suites/${String(suite)}/rerun`;
  return html`<div class="box">
    <div class="row head">
      <span class="grow">${counted(latest.length)} on ${what} <code>${sha.slice(0, 7)}</code></span>
      ${suite !== undefined && mayWrite(repository, viewer) ? button(rerunAll, 'Re-run all') : undefined}
    </div>
    ${latest.map((run) => checkRow(repository, run, viewer))}
  </div>`;
}

/** Buttons are shown only on completed check runs, and only to people who may write. */
export function checkButtons(repository: Repository, run: CheckRun, viewer: string): Html | undefined {
  if (run.status !== 'completed' || !mayWrite(repository, viewer)) return undefined;
  const path = `${repositoryPath(repository)}/runs/${run.id}`;
  return html`<span class="actions">
    ${run.actions.map(({ label, description, identifier }) =>
      button(`${path}/press`, label, { identifier }, { title: description }),
    )}
  </span>`;
}

function counted(checks: number): string {
  return checks === 0 ? 'No checks' : `${checks} ${checks === 1 ? 'check' : 'checks'}`;
}

function checkRow(repository: Repository, run: CheckRun, viewer: string): Html {
  return html`<div class="row">
    ${checkMark(run)}
    <span class="grow">
      <a href="${repositoryPath(repository)}/runs/${run.id}"><b>${run.name}</b></a>
      <span class="muted">${run.output.title ?? run.status.replaceAll('_', ' ')}</span>
    </span>
    ${checkButtons(repository, run, viewer)}
    ${run.detailsUrl === null ? undefined : html`<a href="${run.detailsUrl}" rel="noopener">Details</a>`}
  </div>`;
}

const SIGNS: Readonly<Record<string, readonly [sign: string, style: string]>> = {
  queued: ['○', 'waiting'],
  in_progress: ['◐', 'waiting'],
  success: ['✓', 'success'],
  failure: ['✗', 'failure'],
  timed_out: ['✗', 'failure'],
  cancelled: ['⊘', 'neutral'],
  skipped: ['⊘', 'neutral'],
  neutral: ['■', 'neutral'],
  action_required: ['!', 'waiting'],
};
