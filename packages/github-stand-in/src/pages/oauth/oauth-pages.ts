import type { Router } from 'express';
import { answerTokenRequest, mintCode } from '../../auth/oauth.ts';
import type { World } from '../../world.ts';
import { html } from '../html.ts';
import { addRedirect, PageRefusal, show } from '../page-call.ts';

/** Where a person lets the App act for them, and where the App gets its tokens. */
export function addOAuthPages(router: Router, world: World): void {
  show(router, world, '/login/oauth/authorize', ({ viewer, query }) => {
    requireClient(world, query);
    const asked = new URLSearchParams(
      ['client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method'].flatMap(
        (name): [string, string][] => {
          const value = query(name);
          return value === undefined ? [] : [[name, value]];
        },
      ),
    );
    // A link: browsers follow no form to another site.
    const content = html`<h1>Authorize ${world.app.slug}</h1>
      <p>It wants to know who you are, and to act for you: ${viewer}.</p>
      <p><a href="/login/oauth/authorized?${asked.toString()}">Authorize</a></p>`;
    return { title: 'Authorize', content };
  });
  addRedirect(router, world, '/login/oauth/authorized', ({ viewer: login, query }) => {
    const redirectUri = requireClient(world, query);
    const challenge = query('code_challenge_method') === 'S256' ? query('code_challenge') : undefined;
    const code = mintCode(world, { login, redirectUri, challenge });
    const back = new URL(redirectUri);
    back.searchParams.set('code', code);
    back.searchParams.set('state', query('state') ?? '');
    return back.href;
  });
  router.post('/login/oauth/access_token', (request, response) => {
    // The form parser leaves an object of texts, or nothing.
    const fields = (request.body ?? {}) as Readonly<Record<string, string>>;
    const fault = world.faults.meetRequest('POST /login/oauth/access_token', '').find(({ kind }) => kind === 'failure');
    if (fault?.kind === 'failure') response.status(fault.status).end();
    else response.json(answerTokenRequest(world, fields));
  });
}

/** Returns where the person goes back to. */
function requireClient({ oauth }: World, query: (name: string) => string | undefined): string {
  if (oauth === undefined || query('client_id') !== oauth.clientId) throw new PageRefusal(404, 'There is no such App.');
  if (query('redirect_uri') !== oauth.redirectUri)
    throw new PageRefusal(422, 'The redirect_uri is not associated with this application.');
  return oauth.redirectUri;
}
