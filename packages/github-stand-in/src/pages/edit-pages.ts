import type { Router } from 'express';
import { commitFiles } from '../actions/pushes.ts';
import { openPullRequest } from '../actions/pull-requests.ts';
import { readFile, readPaths } from '../git/files.ts';
import { directoryOf, type World } from '../world.ts';
import { html, type Html } from './html.ts';
import { repositoryPath } from './layout.ts';
import { act, inRepository, PageRefusal, requireWriter, show, type PageCall, type PageContent } from './page-call.ts';

/** As many as a person can look through. */
const SHOWN_PATHS = 500;

/** Lets a person change a file in the browser, which opens a pull request. */
export function addEditPages(router: Router, world: World): void {
  show(router, world, '/:owner/:name/edit', editPage);
  act(router, world, '/:owner/:name/edit', propose);
}

async function editPage(call: PageCall): Promise<PageContent> {
  const { world, repository, viewer } = inRepository(call);
  const directory = directoryOf(world, repository);
  const path = call.query('path');
  const base = repositoryPath(repository);
  const content =
    path === undefined
      ? pathList(base, await readPaths(directory, repository.defaultBranch))
      : form(base, path, (await readFile(directory, `refs/heads/${repository.defaultBranch}`, path)) ?? '', viewer);
  return { title: 'Change a file', repository, tab: 'edit', content };
}

function pathList(base: string, paths: readonly string[]): Html {
  const rows = paths
    .slice(0, SHOWN_PATHS)
    .map((path) => html`<div class="row"><a href="${base}/edit?path=${encodeURIComponent(path)}">${path}</a></div>`);
  return html`<p>Choose a file; your change becomes a pull request.</p>
    <div class="box">${rows}</div>
    <form class="inline" method="get" action="${base}/edit">
      <label for="path">or a new one:</label> <input id="path" type="text" name="path" required />
      <button>Create</button>
    </form>`;
}

function form(base: string, path: string, text: string, viewer: string): Html {
  return html`<form method="post" action="${base}/edit">
    <h2><code>${path}</code></h2>
    <input type="hidden" name="path" value="${path}" />
    <label for="text">Contents</label>
    <textarea class="code" id="text" name="text" spellcheck="false">${`\n${text}`}</textarea>
    <label for="title">What does the change do?</label>
    <input id="title" type="text" name="title" value="Change ${path}" required />
    <button class="primary">Open a pull request as ${viewer}</button>
  </form>`;
}

async function propose(call: PageCall): Promise<string> {
  const inside = inRepository(call);
  requireWriter(inside);
  const { world, repository, viewer } = inside;
  const [path, title] = [call.field('path'), call.field('title').trim()];
  if (path === '' || title === '') throw new PageRefusal(422, 'A path and a title are needed.');
  if (path.split('/').some((part) => ['', '.', '..', '.git'].includes(part))) {
    throw new PageRefusal(422, `"${path}" is not a path inside the repository.`);
  }
  const branch = `${viewer}-patch-${repository.nextNumber}`;
  const files = { [path]: call.field('text') };
  await commitFiles(world, repository, { branch, files, message: title, author: viewer });
  const pr = await openPullRequest(world, repository, { title, head: branch, author: viewer });
  return `${repositoryPath(repository)}/pull/${pr.number}`;
}
