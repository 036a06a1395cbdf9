import type { Router } from 'express';
import { mintToken } from '../auth/tokens.ts';
import { hasRole, signatureOf } from '../state/accounts.ts';
import type { World } from '../world.ts';
import { html, type Html } from './html.ts';
import { button, repositoryPath } from './layout.ts';
import {
  inRepository,
  PageRefusal,
  show,
  showOnce,
  type PageCall,
  type PageContent,
  type RepositoryPageCall,
} from './page-call.ts';
import { mayWrite } from './viewer.ts';

/** For work with the repository in a person's own git, in the name of the chosen person. */
export function addClonePages(router: Router, world: World): void {
  show(router, world, '/:owner/:name/clone', clonePage);
  showOnce(router, world, '/:owner/:name/clone', tokenPage);
}

function clonePage(call: PageCall): PageContent {
  return pageOf(inReadable(call));
}

function tokenPage(call: PageCall): PageContent {
  const inside = inReadable(call);
  const { world, repository, viewer } = inside;
  const { token } = mintToken(world.store, { kind: 'person', login: viewer });
  const { name, email } = signatureOf(world.store, viewer);
  const address = new URL(`${world.url}${repositoryPath(repository)}.git`);
  [address.username, address.password] = [viewer, token];
  const lines = [
    `git clone ${address.href}`,
    `cd ${repository.name}`,
    `git config user.name '${name}'`,
    `git config user.email '${email}'`,
  ];
  const rights = mayWrite(repository, viewer) ? 'clone, fetch and push' : 'clone and fetch, but not push,';
  return pageOf(
    inside,
    html`<p>
        With these lines you ${rights} as <b>${viewer}</b>. The token in the first one is shown this once, and is good
        for an hour.
      </p>
      <pre class="lines">${lines.join('\n')}</pre>`,
  );
}

function pageOf({ repository, viewer }: RepositoryPageCall, made?: Html): PageContent {
  const label = made ? `Make another token for ${viewer}` : `Make a token for ${viewer}`;
  const content = html`${made ?? html`<p>git asks for a token here, as GitHub does for a private repository.</p>`}
    <p>${button(`${repositoryPath(repository)}/clone`, label, {}, { primary: !made })}</p>`;
  return { title: 'Clone', repository, tab: 'clone', content };
}

function inReadable(call: PageCall): RepositoryPageCall {
  const inside = inRepository(call);
  if (hasRole(inside.repository, inside.viewer, 'read')) return inside;
  throw new PageRefusal(403, `${inside.viewer} has no permission to read here.`);
}
