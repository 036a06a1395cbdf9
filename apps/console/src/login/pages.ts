/** The pages around a login. Pure functions. */
import type { LoginMode } from '@nereid/config';
import { html, type Html } from '../platform/html/html.ts';
import { page } from '../platform/html/page.ts';
import { logoutForm } from '../platform/html/who.ts';
import type { Visitor } from './visitor/visitor.ts';

export interface LoginPage {
  readonly mode: LoginMode | undefined;
  /** Undefined where people do not leave for one. */
  readonly provider: { readonly name: string; readonly endsEverywhere: boolean } | undefined;
  readonly visitor: Visitor | { readonly kind: 'unavailable' };
  /** Of our form; undefined where nobody is logged in. */
  readonly csrf: string | undefined;
  /** The page to which the person goes back. */
  readonly to: string;
}

export function loginPage(about: LoginPage): Html {
  return page(
    'Log in',
    html`<header><h1>Log in</h1></header>
      <main class="login">${cards(about)}</main>`,
    '',
  );
}

function cards(about: LoginPage): Html {
  const { visitor, mode } = about;
  switch (visitor.kind) {
    case 'person':
      return personCard(about, visitor.person.login);
    case 'unavailable':
      return html`<p class="card" role="alert">
          The login provider does not answer. Pages with a key in their link still open.
        </p>
        ${loginLink(about)}`;
    case 'local':
      return html`<p class="card">
        You read everything: this console asks nobody on its own machine who they are. Nobody acts here until
        <code>console.login</code> in the server's file is <code>{ local: { as: … } }</code>.
      </p>`;
    case 'refused':
      return html`<p class="card" role="alert">Nobody knows who you are: ${visitor.why}.</p>
        ${loginLink(about)}`;
    case 'anonymous':
      return mode === undefined ? NO_LOGIN : mode === 'proxy' ? NO_ASSERTION : loginLink(about);
  }
}

const NO_LOGIN = html`<p class="card">
  Nobody logs in here: people open pages by the links in check runs and comments, and scripts send a token as
  <code>Authorization: Bearer</code>.
</p>`;

const NO_ASSERTION = html`<p class="card">
  People who reach this console through its login proxy are logged in. The proxy said nothing about you: open the
  console at its own address, or ask its operators.
</p>`;

/** A link, not a form: where a form may lead to is limited. */
function loginLink({ provider, to }: LoginPage): Html {
  if (provider === undefined) return html``;
  return html`<p class="card">
    <a class="primary" href="login/start?to=${encodeURIComponent(to)}">Log in with ${provider.name}</a>
  </p>`;
}

function personCard({ provider, csrf, to }: LoginPage, login: string): Html {
  return html`<section class="card">
    <p>You are @${login}. <a href="${`.${to}`}">Go on</a></p>
    ${provider && csrf !== undefined && logoutForm('logout', csrf, 'here', 'Log out')}
    ${provider?.endsEverywhere === true && csrf !== undefined && logoutForm('logout', csrf, 'everywhere', 'Log out everywhere')}
  </section>`;
}

export interface LogoutPage {
  readonly sentence: string;
  /** Where the person is still logged in, and how to end that. */
  readonly provider?: { readonly name: string; readonly url: string } | undefined;
}

export function logoutPage({ sentence, provider }: LogoutPage): Html {
  return page(
    'Logged out',
    html`<header><h1>Logged out</h1></header>
      <main>
        <p class="card">
          ${sentence}
          <a href="login">Log in again</a
          >${provider && html`, or <a href="${provider.url}">log out at ${provider.name} as well</a>`}
        </p>
      </main>`,
    '',
  );
}
