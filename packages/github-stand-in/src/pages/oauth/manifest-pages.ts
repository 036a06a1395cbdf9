import type { Router } from 'express';
import { agreeToApp, keepAsked, readManifest } from '../../auth/app-manifest.ts';
import { ensureAccount } from '../../state/accounts.ts';
import type { World } from '../../world.ts';
import { html } from '../html.ts';
import { act, PageRefusal, showPosted, type PageCall, type PageContent } from '../page-call.ts';

/** Where a person makes an App from the manifest that a program sends, for themselves or for an organisation. */
export function addManifestPages(router: Router, world: World): void {
  showPosted(router, world, '/settings/apps/new', (call) => askedPage(call, call.viewer), redirectOf);
  showPosted(
    router,
    world,
    '/organizations/:organization/settings/apps/new',
    (call) => {
      const organization = call.param('organization');
      ensureAccount(world.store, organization, 'Organization');
      return askedPage(call, organization);
    },
    redirectOf,
  );
  act(router, world, '/settings/apps/manifest', ({ field }) => {
    const back = agreeToApp(world, field('token'), field('name'));
    if (back === undefined) throw new PageRefusal(404, 'This manifest was used already, or nobody sent it.');
    return back;
  });
}

const KEEPS_APP =
  'This GitHub belongs to the demo, which has its App already: another one would take its place, and the demo would stop. Nothing was made. Press Ctrl-C in the terminal, and run nereid setup without --github-url, or with the address of a GitHub Enterprise Server.';

function askedPage({ world, field, query }: PageCall, owner: string): PageContent {
  if (world.keepsApp) throw new PageRefusal(409, KEEPS_APP);
  const read = readManifest(world, field('manifest'));
  if (read.kind === 'invalid') {
    const { reasons } = read;
    world.traffic.refuse({
      ...{ kind: 'invalid', method: 'POST', path: '/settings/apps/new', body: field('manifest') },
      reasons: [...reasons],
    });
    throw new PageRefusal(422, `Invalid GitHub App configuration: ${reasons.join('; ')}`);
  }
  const { manifest } = read;
  const token = keepAsked(world, { manifest, owner, state: query('state') ?? '' });
  const content = html`<h1>Create GitHub App for ${owner}</h1>
    <form method="post" action="/settings/apps/manifest">
      <input type="hidden" name="token" value="${token}" />
      <p>
        <label for="name">GitHub App name</label>
        <input id="name" name="name" value="${manifest.name ?? ''}" required />
      </p>
      <p><button class="primary">Create GitHub App for ${owner}</button></p>
    </form>`;
  return { title: 'Create GitHub App', content };
}

/** Browsers follow a form to another site only where the page of the form says so. */
function redirectOf({ world, field }: PageCall): string | undefined {
  const read = readManifest(world, field('manifest'));
  return read.kind === 'ok' ? new URL(read.manifest.redirect_url).origin : undefined;
}
