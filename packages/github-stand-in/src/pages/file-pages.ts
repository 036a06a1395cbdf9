import type { Router } from 'express';
import { resolveCommit } from '../git/bare-repository.ts';
import { readFile } from '../git/files.ts';
import { directoryOf, type World } from '../world.ts';
import { html, type Html } from './html.ts';
import { repositoryPath } from './layout.ts';
import { inRepository, PageRefusal, show, type PageCall, type PageContent } from './page-call.ts';

/** More lines make a page that nobody reads and that slows down a browser. */
const SHOWN_LINES = 5_000;

/** A file as it is in one commit, each line with an anchor as on GitHub: `#L12`. */
export function addFilePages(router: Router, world: World): void {
  show(router, world, '/:owner/:name/blob/:ref/*path', filePage);
}

async function filePage(call: PageCall): Promise<PageContent> {
  const { world, repository } = inRepository(call);
  const directory = directoryOf(world, repository);
  const path = call.param('path');
  const sha = await resolveCommit(directory, call.param('ref'));
  if (sha === undefined) throw new PageRefusal(404, 'There is no such commit.');
  const text = await readFile(directory, sha, path);
  if (text === undefined) throw new PageRefusal(404, `There is no file ${path} in ${sha.slice(0, 7)}.`);

  const content = html`<div class="box">
    <div class="row head">
      <code class="grow">${path}</code>
      <a href="${repositoryPath(repository)}/commit/${sha}"><code>${sha.slice(0, 7)}</code></a>
    </div>
    ${text.includes('\0') ? html`<div class="body">This is not a text file.</div>` : linesOf(text)}
  </div>`;
  return { title: path, repository, tab: 'commits', content };
}

function linesOf(text: string): Html {
  // The line break at the end of a file begins no line.
  const lines = text.replace(/\n$/, '').split('\n');
  const more = lines.length - SHOWN_LINES;
  return html`<div class="body code">${lines.slice(0, SHOWN_LINES).map(lineOf)}</div>
    ${more > 0 ? html`<div class="row muted">${more} more lines are not shown.</div>` : undefined}`;
}

function lineOf(text: string, index: number): Html {
  const anchor = `L${index + 1}`;
  return html`<div id="${anchor}"><a href="#${anchor}">${index + 1}</a>${text}</div>`;
}
