import { readPullRequestFacts } from '../events/pull-request-facts.ts';
import { isAncestor } from '../git/history.ts';
import { findUnmetChecks, rulesOf } from '../state/branch-rules.ts';
import { placeInQueue } from '../merge-queue/queue-actions.ts';
import type { PullRequest, Repository } from '../state/model.ts';
import { directoryOf, type World } from '../world.ts';
import { html, type Html } from './html.ts';
import { button } from './layout.ts';
import { mayWrite } from './viewer.ts';

export interface MergeBox {
  readonly repository: Repository;
  readonly pr: PullRequest;
  readonly viewer: string;
  /** The address of the pull request's page. */
  readonly path: string;
}

/** Whether an open pull request can be merged, and the buttons that merge it or put it into the merge queue. */
export async function mergeBox(world: World, { repository, pr, viewer, path }: MergeBox): Promise<Html> {
  const { mergeable, mergeableState } = await readPullRequestFacts(world, repository, pr);
  const writes = mayWrite(repository, viewer);
  const isBehind = !(await isAncestor(directoryOf(world, repository), pr.baseSha, pr.headSha));
  const disabled = mergeableState !== 'clean' || !writes;
  const hasQueue = Boolean(rulesOf(world.store, repository, pr.baseBranch)?.mergeQueue);
  const state = mergeable === true ? 'No conflicts with the base branch' : 'There are conflicts with the base branch';
  return html`<div class="box">
    <div class="row head">${state}</div>
    ${requiredChecks(world, repository, pr)} ${queueRow(world, repository, pr)}
    <div class="body actions">
      ${hasQueue ? queueButton(world, { repository, pr, viewer, path }, disabled) : mergeButtons(path, disabled)}
      ${button(`${path}/approve`, 'Approve', {}, { disabled: viewer === pr.author })}
      ${isBehind ? button(`${path}/update`, 'Update branch', {}, { disabled: mergeable !== true || !writes }) : undefined}
      ${writes ? button(`${path}/close`, 'Close') : html`<span class="muted">${viewer} may not merge here.</span>`}
    </div>
  </div>`;
}

function mergeButtons(path: string, disabled: boolean): Html[] {
  return [
    button(`${path}/merge`, 'Merge pull request', { kind: 'merge' }, { primary: true, disabled }),
    button(`${path}/merge`, 'Squash and merge', { kind: 'squash' }, { disabled }),
    button(`${path}/merge`, 'Rebase and merge', { kind: 'rebase' }, { disabled }),
  ];
}

function queueButton(world: World, { repository, pr, viewer, path }: MergeBox, disabled: boolean): Html {
  if (placeInQueue(world, repository, pr) === undefined) {
    return button(`${path}/enqueue`, 'Merge when ready', {}, { primary: true, disabled });
  }
  return button(`${path}/dequeue`, 'Remove from queue', {}, { disabled: !mayWrite(repository, viewer) });
}

function queueRow(world: World, repository: Repository, pr: PullRequest): Html | undefined {
  const place = placeInQueue(world, repository, pr);
  return place === undefined
    ? undefined
    : html`<div class="row">Queued to merge: place ${place} in the merge queue</div>`;
}

function requiredChecks(world: World, repository: Repository, pr: PullRequest): Html | undefined {
  const { failed, pending } = findUnmetChecks(world.store, repository, pr.baseBranch, pr.headSha);
  if (failed.length + pending.length === 0) return undefined;
  const reasons = [...failed.map((name) => `${name} failed`), ...pending.map((name) => `${name} is expected`)];
  return html`<div class="row">Required checks have not passed: ${reasons.join(', ')}</div>`;
}
