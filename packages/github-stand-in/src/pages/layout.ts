import type { Repository } from '../state/model.ts';
import type { World } from '../world.ts';
import { html, type Content, type Html } from './html.ts';
import { peopleOf } from './viewer.ts';

export interface Page {
  readonly title: string;
  readonly viewer: string;
  /** The address to return to when another person is chosen. */
  readonly path: string;
  readonly repository?: Repository;
  readonly tab?: 'commits' | 'pulls' | 'edit' | 'clone';
  readonly content: Content;
}

export function layout(world: World, page: Page): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title}</title>
        <link rel="stylesheet" href="/-/style.css" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        ${top(world, page)}
        <main>${page.repository ? repositoryHead(page.repository, page.tab) : undefined} ${page.content}</main>
        <script src="/-/live.js"></script>
      </body>
    </html>`;
}

export function repositoryPath({ owner, name }: Repository): string {
  return `/${owner}/${name}`;
}

/** A form that consists of one button. */
export function button(
  action: string,
  label: string,
  fields: Readonly<Record<string, string>> = {},
  more: {
    readonly title?: string;
    readonly primary?: boolean;
    readonly disabled?: boolean;
  } = {},
): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  const style = more.primary === true ? 'primary' : '';
  const disabled = more.disabled === true ? html`disabled` : undefined;
  return html`<form class="inline" method="post" action="${action}">
    ${hidden}<button class="${style}" title="${more.title ?? ''}" ${disabled}>${label}</button>
  </form>`;
}

function top(world: World, { viewer, path }: Page): Html {
  const options = peopleOf(world).map(
    (login) => html`<option value="${login}" ${login === viewer ? html`selected` : undefined}>${login}</option>`,
  );
  return html`<header class="top">
    <a class="home" href="/">GitHub stand-in</a>
    <a href="/deliveries">Webhook deliveries</a>
    <form class="inline" method="post" action="/-/who">
      <input type="hidden" name="back" value="${path}" />
      <label for="who">You are</label>
      <select id="who" name="who" data-submits>
        ${options}
      </select>
      <noscript><button>Change</button></noscript>
    </form>
  </header>`;
}

function repositoryHead(repository: Repository, tab: Page['tab']): Html {
  const path = repositoryPath(repository);
  const link = (name: Page['tab'], target: string, label: string): Html =>
    html`<a href="${target}" ${name === tab ? html`aria-current="page"` : undefined}>${label}</a>`;
  return html`<h1>
      <a href="/">${repository.owner}</a> / <a href="${path}"><b>${repository.name}</b></a>
    </h1>
    <nav class="tabs" aria-label="Repository">
      ${link('commits', path, 'Commits')} ${link('pulls', `${path}/pulls`, 'Pull requests')}
      ${link('edit', `${path}/edit`, 'Change a file')} ${link('clone', `${path}/clone`, 'Clone')}
    </nav>`;
}
