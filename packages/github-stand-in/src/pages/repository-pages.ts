import type { Router } from 'express';
import { readBranches, resolveCommit } from '../git/bare-repository.ts';
import { readChangedFiles } from '../git/changed-files.ts';
import { readCommit, readCommits, type Commit } from '../git/history.ts';
import type { Repository } from '../state/model.ts';
import { directoryOf, type World } from '../world.ts';
import { checksBox, commitMark } from './check-parts.ts';
import { diffOf } from './diff-part.ts';
import { html, type Html } from './html.ts';
import { repositoryPath } from './layout.ts';
import { inRepository, PageRefusal, show, type PageCall, type PageContent } from './page-call.ts';

/** As many as a person scrolls through. */
const SHOWN_COMMITS = 50;

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** The list of repositories, the commits of a branch, one commit. */
export function addRepositoryPages(router: Router, world: World): void {
  show(router, world, '/', repositoriesPage);
  show(router, world, '/:owner/:name', commitsPage);
  show(router, world, '/:owner/:name/commit/:sha', commitPage);
}

async function repositoriesPage({ world }: PageCall): Promise<PageContent> {
  const rows = await Promise.all(world.store.state.repositories.map((repository) => repositoryRow(world, repository)));
  const content = html`<h1>Repositories</h1>
    <div class="box" id="repositories" data-live>
      ${rows.length === 0 ? html`<div class="row">There are none yet.</div>` : rows}
    </div>`;
  return { title: 'Repositories', content };
}

async function repositoryRow(world: World, repository: Repository): Promise<Html> {
  const [head] = await readCommits(directoryOf(world, repository), ['-1', `refs/heads/${repository.defaultBranch}`]);
  const path = repositoryPath(repository);
  return html`<div class="row">
    ${head ? commitMark(world, repository, head.sha) : undefined}
    <a class="grow" href="${path}"><b>${repository.owner}/${repository.name}</b></a>
    <span class="muted">${head ? firstLine(head) : ''}</span>
  </div>`;
}

async function commitsPage(call: PageCall): Promise<PageContent> {
  const { world, repository } = inRepository(call);
  const directory = directoryOf(world, repository);
  const branches = await readBranches(directory);
  const branch = call.query('branch') ?? repository.defaultBranch;
  const head = branches.get(branch);
  if (head === undefined) throw new PageRefusal(404, `There is no branch ${branch}.`);
  const commits = await readCommits(directory, ['--date-order', `--max-count=${SHOWN_COMMITS}`, head]);
  const path = repositoryPath(repository);
  const content = html`<p>
      Branch <b>${branch}</b>${[...branches.keys()]
        .filter((name) => name !== branch)
        .map((name) => html` · <a href="${path}?branch=${encodeURIComponent(name)}">${name}</a>`)}
    </p>
    <div class="box" id="commits" data-live>${commits.map((commit) => commitRow(world, repository, commit))}</div>
    <p><a href="${path}/clone">Clone it, and push to it</a> with a git of your own.</p>`;
  return { title: `${repository.owner}/${repository.name}`, repository, tab: 'commits', content };
}

export function commitRow(world: World, repository: Repository, commit: Commit): Html {
  const path = `${repositoryPath(repository)}/commit/${commit.sha}`;
  return html`<div class="row">
    <span class="grow">
      <a href="${path}"><b>${firstLine(commit)}</b></a> ${commitMark(world, repository, commit.sha)}<br />
      <span class="muted">${commit.author.name} · ${commit.author.date}</span>
    </span>
    <a href="${path}"><code>${commit.sha.slice(0, 7)}</code></a>
  </div>`;
}

async function commitPage(call: PageCall): Promise<PageContent> {
  const { world, repository, viewer } = inRepository(call);
  const directory = directoryOf(world, repository);
  const sha = await resolveCommit(directory, call.param('sha'));
  if (sha === undefined) throw new PageRefusal(404, 'There is no such commit.');
  const commit = await readCommit(directory, sha);
  const files = await readChangedFiles(directory, commit.parents[0] ?? EMPTY_TREE, sha);
  const content = html`<h1>${firstLine(commit)}</h1>
    <p class="muted">${commit.author.name} · ${commit.author.date} · <code>${sha}</code></p>
    <div id="checks" data-live>${checksBox(world, { repository, viewer, sha })}</div>
    ${diffOf(files)}`;
  return { title: firstLine(commit), repository, tab: 'commits', content };
}

function firstLine({ message }: Commit): string {
  return message.split('\n')[0] ?? '';
}
