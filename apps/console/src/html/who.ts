/** Who looks at a page, at its top. */
import type { Visitor } from '../login/visitor.ts';
import { html, type Html } from './html.ts';

export type Who =
  | { readonly kind: 'local'; readonly login: string }
  | { readonly kind: 'reading' }
  /** `csrf` where they can log out here. */
  | { readonly kind: 'person'; readonly login: string; readonly csrf?: string }
  | { readonly kind: 'anonymous' };

export interface WhoSources {
  readonly visitor: Visitor;
  /** Undefined where nobody logs out here. */
  readonly csrf: string | undefined;
  readonly canLogIn: boolean;
}

/** Undefined where there is nothing to say. */
export function whoIs({ visitor, csrf, canLogIn }: WhoSources): Who | undefined {
  if (visitor.kind === 'local') return { kind: 'reading' };
  if (visitor.kind !== 'person') return canLogIn ? { kind: 'anonymous' } : undefined;
  if (visitor.by !== 'browser') return undefined;
  const { login } = visitor.person;
  if (visitor.proof.mode === 'local') return { kind: 'local', login };
  return { kind: 'person', login, ...(csrf !== undefined && { csrf }) };
}

/** `toTop` is the relative path from the page to the console's top. */
export function whoLine(who: Who | undefined, toTop: string): Html | undefined {
  switch (who?.kind) {
    case undefined:
      return undefined;
    case 'local':
      return html`<section class="who" aria-label="You">You act as @${who.login}</section>`;
    case 'reading':
      return html`<section class="who" aria-label="You">Reading only</section>`;
    case 'anonymous':
      return html`<section class="who" aria-label="You"><a href="${toTop}login">Log in</a></section>`;
    case 'person':
      return html`<section class="who" aria-label="You">
        <a href="${toTop}login">@${who.login}</a>
        ${who.csrf !== undefined && logoutForm(`${toTop}logout`, who.csrf, 'here', 'Log out')}
      </section>`;
  }
}

export function logoutForm(action: string, csrf: string, where: 'here' | 'everywhere', label: string): Html {
  return html`<form class="logout" method="post" action="${action}">
    <input type="hidden" name="csrf" value="${csrf}" />
    <input type="hidden" name="where" value="${where}" />
    <button>${label}</button>
  </form>`;
}
