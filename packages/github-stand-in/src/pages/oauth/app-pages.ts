import type { Router } from 'express';
import { install } from '../../actions/repositories.ts';
import { now } from '../../state/store.ts';
import { sameName } from '../../state/accounts.ts';
import { sendInstalled } from '../../events/emit.ts';
import type { World } from '../../world.ts';
import { html } from '../html.ts';
import { act, PageRefusal, show } from '../page-call.ts';

/** GitHub says 5, for which nobody waits here. */
const DEVICE_FLOW = { intervalS: 1 };

/** The pages of an App that a person made: where it is installed on the repositories of its owner, and what only its page can change. */
export function addAppPages(router: Router, world: World): void {
  show(router, world, '/apps/:slug', ({ param }) => {
    const { slug } = requireApp(world, param('slug'));
    const content = html`<h1>${slug}</h1>
      <p><a href="/apps/${slug}/installations/new">Install</a></p>
      <form method="post" action="/apps/${slug}/device-flow"><button>Enable Device Flow</button></form>`;
    return { title: slug, content };
  });
  show(router, world, '/apps/:slug/installations/new', ({ param }) => {
    const { slug, owner } = requireApp(world, param('slug'));
    const content = html`<h1>Install ${slug} on all repositories of ${owner}</h1>
      <form method="post" action="/apps/${slug}/installations/new"><button class="primary">Install</button></form>`;
    return { title: `Install ${slug}`, content };
  });
  act(router, world, '/apps/:slug/installations/new', ({ param, viewer }) => {
    const { slug, owner } = requireApp(world, param('slug'));
    const installation = install(world, owner, now());
    for (const repository of world.store.state.repositories)
      if (sameName(repository.owner, owner)) repository.installationId = installation.id;
    world.store.changed();
    sendInstalled(world, installation, viewer);
    return `/apps/${slug}`;
  });
  act(router, world, '/apps/:slug/device-flow', ({ param }) => {
    const { slug } = requireApp(world, param('slug'));
    if (world.oauth !== undefined) world.oauth = { ...world.oauth, deviceFlow: DEVICE_FLOW };
    return `/apps/${slug}`;
  });
}

function requireApp({ app }: World, slug: string): { readonly slug: string; readonly owner: string } {
  const { owner } = app;
  if (slug !== app.slug || owner === undefined) throw new PageRefusal(404, 'There is no such App.');
  return { slug, owner };
}
