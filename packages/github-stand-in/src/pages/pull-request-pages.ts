import type { Router } from 'express';
import { addComment } from '../actions/comments.ts';
import { readPullRequestCommits, readPullRequestFiles } from '../events/pull-request-facts.ts';
import { closePullRequest, mergePullRequest, updateBranch } from '../actions/pull-requests.ts';
import { reviewPullRequest } from '../actions/reviews.ts';
import { dequeue, enqueue } from '../merge-queue/queue-actions.ts';
import { commentsOf, findPullRequest, reviewsOf, runsAt } from '../state/find.ts';
import type { PullRequest, Repository, Review } from '../state/model.ts';
import type { World } from '../world.ts';
import { checksBox, checksSentence } from './check-parts.ts';
import { diffOf } from './diff-part.ts';
import { html, type Html } from './html.ts';
import { repositoryPath } from './layout.ts';
import { renderMarkdown } from './markdown.ts';
import { mergeBox } from './merge-box.ts';
import {
  act,
  inRepository,
  PageRefusal,
  requireWriter,
  show,
  type PageCall,
  type PageContent,
  type RepositoryPageCall,
} from './page-call.ts';
import { commitRow } from './repository-pages.ts';

interface PullRequestCall extends RepositoryPageCall {
  readonly pr: PullRequest;
  readonly path: string;
}

/** Pull requests: the list, the page of one, and the actions of its buttons. */
export function addPullRequestPages(router: Router, world: World): void {
  const path = '/:owner/:name/pull/:number';
  show(router, world, '/:owner/:name/pulls', pullRequestsPage);
  show(router, world, path, pullRequestPage);
  act(router, world, `${path}/comment`, comment);
  act(router, world, `${path}/approve`, approve);
  act(router, world, `${path}/update`, byWriter(updateBranch));
  act(router, world, `${path}/merge`, merge);
  act(router, world, `${path}/enqueue`, byWriter(enqueue));
  act(router, world, `${path}/dequeue`, byWriter(dequeue));
  act(router, world, `${path}/close`, byWriter(closePullRequest));
}

function pullRequestsPage(call: PageCall): PageContent {
  const { world, repository } = inRepository(call);
  const own = world.store.state.pullRequests.filter(({ repositoryId }) => repositoryId === repository.id).reverse();
  const rows = own.map(
    (pr) =>
      html`<div class="row">
        ${stateLabel(pr)}
        <a class="grow" href="${repositoryPath(repository)}/pull/${pr.number}"><b>${pr.title}</b></a>
        <span class="muted">#${pr.number} by ${pr.author}</span>
      </div>`,
  );
  const none = html`<div class="row">
    There are none. <a href="${repositoryPath(repository)}/edit">Change a file</a> to open one.
  </div>`;
  const content = html`<div class="box" id="pulls" data-live>${rows.length === 0 ? none : rows}</div>`;
  return { title: 'Pull requests', repository, tab: 'pulls', content };
}

async function pullRequestPage(call: PageCall): Promise<PageContent> {
  const { world, repository, viewer, pr, path } = inPullRequest(call);
  const [commits, files] = await Promise.all([
    readPullRequestCommits(world, repository, pr),
    readPullRequestFiles(world, repository, pr),
  ]);
  const sentence = pr.merged ? checksSentence(world, repository, pr.merged.sha) : undefined;
  const content = html`<h1>${pr.title} <span class="muted">#${pr.number}</span></h1>
    <div id="state" data-live>
      <p>
        ${stateLabel(pr)} <b>${pr.merged?.by ?? pr.author}</b>
        ${pr.merged ? 'merged' : 'wants to merge'} ${commits.length} ${commits.length === 1 ? 'commit' : 'commits'} into
        <code>${pr.baseBranch}</code> from <code>${pr.headBranch}</code>
      </p>
      ${sentence ? html`<p>${sentence}</p>` : undefined}
    </div>
    ${post(pr.author, pr.createdAt, pr.body === '' ? '*No description.*' : pr.body)}
    <div id="talk" data-live>${talk(world, pr)}</div>
    <div id="checks" data-live>
      ${checks(inPullRequest(call))}
      ${pr.state === 'open' ? await mergeBox(world, { repository, pr, viewer, path }) : undefined}
    </div>
    ${commentForm(path, viewer)}
    <h2>${commits.length} ${commits.length === 1 ? 'commit' : 'commits'}</h2>
    <div class="box">${commits.map((commit) => commitRow(world, repository, commit))}</div>
    ${diffOf(files)}`;
  return { title: `${pr.title} #${pr.number}`, repository, tab: 'pulls', content };
}

/** Once a pull request is merged, the checks of the merge commit matter; those of the head are shown if there are any. */
function checks({ world, repository, viewer, pr }: PullRequestCall): readonly Html[] {
  const of = { repository, viewer };
  const head = checksBox(world, { ...of, sha: pr.headSha, what: `the last commit of ${pr.headBranch}` });
  if (!pr.merged) return [head];
  const merged = checksBox(world, { ...of, sha: pr.merged.sha, what: 'the merge commit' });
  return runsAt(world.store, repository, pr.headSha).length > 0 ? [merged, head] : [merged];
}

function talk(world: World, pr: PullRequest): Html[] {
  const reviews = reviewsOf(world.store, pr).map(({ author, state, commit, submittedAt, body }) => ({
    at: submittedAt,
    shown: html`<p>
      <b>${author}</b> ${DID[state]} <code>${commit.slice(0, 7)}</code>${commit === pr.headSha ? '' : ', an older head'}
      <span class="muted">${submittedAt}</span> ${body}
    </p>`,
  }));
  const comments = commentsOf(world.store, pr).map(({ author, createdAt, body }) => ({
    at: createdAt,
    shown: post(author, createdAt, body),
  }));
  return [...reviews, ...comments].sort((one, other) => one.at.localeCompare(other.at)).map(({ shown }) => shown);
}

const DID: Readonly<Record<Review['state'], string>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'requested changes of',
  COMMENTED: 'reviewed',
  DISMISSED: 'reviewed (dismissed)',
};

function post(author: string, at: string, markdown: string): Html {
  return html`<div class="box">
    <div class="row head">${author} <span class="muted">${at}</span></div>
    <div class="body markdown">${renderMarkdown(markdown)}</div>
  </div>`;
}

function commentForm(path: string, viewer: string): Html {
  return html`<form method="post" action="${path}/comment">
    <label for="body">Comment as <b>${viewer}</b></label>
    <textarea id="body" name="body" rows="3" required></textarea>
    <button class="primary">Comment</button>
  </form>`;
}

function comment(call: PageCall): string {
  const { world, repository, viewer, pr, path } = inPullRequest(call);
  const body = call.field('body');
  if (body.trim() === '') throw new PageRefusal(422, 'A comment cannot be empty.');
  addComment(world, repository, pr, { author: viewer, body });
  return path;
}

async function approve(call: PageCall): Promise<string> {
  const { world, repository, viewer, pr, path } = inPullRequest(call);
  await reviewPullRequest(world, repository, pr, { state: 'APPROVED', by: viewer });
  return path;
}

type ActOnPullRequest = (world: World, repository: Repository, pr: PullRequest, by: string) => Promise<unknown>;

function byWriter(actOn: ActOnPullRequest): (call: PageCall) => Promise<string> {
  return async (call) => {
    const inside = inPullRequest(call);
    requireWriter(inside);
    await actOn(inside.world, inside.repository, inside.pr, inside.viewer);
    return inside.path;
  };
}

async function merge(call: PageCall): Promise<string> {
  const inside = inPullRequest(call);
  requireWriter(inside);
  const kind = call.field('kind');
  if (kind !== 'merge' && kind !== 'squash' && kind !== 'rebase') throw new PageRefusal(422, 'Merge how?');
  await mergePullRequest(inside.world, inside.repository, inside.pr, { kind, by: inside.viewer });
  return inside.path;
}

function inPullRequest(call: PageCall): PullRequestCall {
  const inside = inRepository(call);
  const pr = findPullRequest(call.world.store, inside.repository, Number(call.param('number')));
  if (!pr) throw new PageRefusal(404, 'There is no such pull request.');
  return { ...inside, pr, path: `${repositoryPath(inside.repository)}/pull/${pr.number}` };
}

function stateLabel(pr: PullRequest): Html {
  const state = pr.merged ? 'merged' : pr.state;
  const name = pr.draft && state === 'open' ? 'Draft' : LABELS[state];
  return html`<span class="label ${state}">${name}</span>`;
}

const LABELS = { open: 'Open', merged: 'Merged', closed: 'Closed' } as const;
