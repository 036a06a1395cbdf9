import type { Router } from 'express';
import { pressButton, rerequestCheckRun } from '../actions/check-runs.ts';
import { rerequestCheckSuite } from '../events/check-suites.ts';
import { findCheckRun, latestOf, runsAt } from '../state/find.ts';
import type { CheckRun } from '../state/model.ts';
import type { World } from '../world.ts';
import { checkButtons, checkMark, checksBox } from './check-parts.ts';
import { html, type Html } from './html.ts';
import { button, repositoryPath } from './layout.ts';
import { renderMarkdown } from './markdown.ts';
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
import { mayWrite } from './viewer.ts';

/** One check run with its buttons, *Re-run* and *Re-run all*. */
export function addCheckRunPages(router: Router, world: World): void {
  const path = '/:owner/:name/runs/:id';
  show(router, world, path, checkRunPage);
  act(router, world, `${path}/press`, press);
  act(router, world, `${path}/rerun`, rerun);
  act(router, world, '/:owner/:name/suites/:id/rerun', rerunAll);
}

function checkRunPage(call: PageCall): PageContent {
  const { world, repository, viewer, run, path } = inCheckRun(call);
  const { title, summary, text } = run.output;
  const canRerun = run.status === 'completed' && mayWrite(repository, viewer);
  const content = html`<div id="run" data-live>
      ${newerNotice(call)}
      <h1>${checkMark(run)} ${run.name}</h1>
      <div class="box">
        <div class="row head">
          <span class="grow">${title ?? run.status.replaceAll('_', ' ')}</span>
          ${checkButtons(repository, run, viewer)} ${canRerun ? button(`${path}/rerun`, 'Re-run') : undefined}
        </div>
        <div class="row muted">
          <span>${(run.conclusion ?? run.status).replaceAll('_', ' ')}</span>
          <span>started ${run.startedAt}</span>
          ${run.completedAt === null ? undefined : html`<span>completed ${run.completedAt}</span>`}
          ${run.detailsUrl === null ? undefined : html`<a href="${run.detailsUrl}" rel="noopener">Details</a>`}
        </div>
        ${[summary, text].map((each) => (each ? html`<div class="body markdown">${renderMarkdown(each)}</div>` : undefined))}
      </div>
    </div>
    <div id="checks" data-live>${checksBox(world, { repository, viewer, sha: run.headSha })}</div>`;
  return { title: run.name, repository, tab: 'commits', content };
}

/** An older check run keeps its page and its buttons; GitHub lists only the newest of each name. */
function newerNotice(call: PageCall): Html | undefined {
  const { world, repository, run } = inCheckRun(call);
  const newest = latestOf(runsAt(world.store, repository, run.headSha)).find(({ name }) => name === run.name);
  if (!newest || newest.id === run.id) return undefined;
  const path = `${repositoryPath(repository)}/runs/${newest.id}`;
  return html`<p class="notice">
    There is a newer run of this check: <a href="${path}">${newest.output.title ?? newest.name}</a>
  </p>`;
}

function press(call: PageCall): string {
  const inside = inCheckRun(call);
  requireWriter(inside);
  pressButton(inside.world, inside.repository, inside.run, call.field('identifier'), inside.viewer);
  return inside.path;
}

function rerun(call: PageCall): string {
  const inside = inCheckRun(call);
  requireWriter(inside);
  rerequestCheckRun(inside.world, inside.repository, inside.run, inside.viewer);
  return inside.path;
}

async function rerunAll(call: PageCall): Promise<string> {
  const inside = inRepository(call);
  requireWriter(inside);
  const { world, repository, viewer } = inside;
  const suite = world.store.state.checkSuites.find(({ id }) => id === Number(call.param('id')));
  if (suite?.repositoryId !== repository.id) throw new PageRefusal(404, 'There is no such check suite.');
  await rerequestCheckSuite(world, repository, suite, viewer);
  return `${repositoryPath(repository)}/commit/${suite.headSha}`;
}

function inCheckRun(call: PageCall): RepositoryPageCall & { readonly run: CheckRun; readonly path: string } {
  const inside = inRepository(call);
  const run = findCheckRun(call.world.store, Number(call.param('id')));
  if (run?.repositoryId !== inside.repository.id) throw new PageRefusal(404, 'There is no such check run.');
  return { ...inside, run, path: `${repositoryPath(inside.repository)}/runs/${run.id}` };
}
