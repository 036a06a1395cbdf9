/** Who looks at a page, at its top. */
import { html, type Html } from './html.ts';

export type Who =
  | { readonly kind: 'local'; readonly login: string }
  | { readonly kind: 'reading' }
  /** `csrf` where they can log out here. */
  | { readonly kind: 'person'; readonly login: string; readonly csrf?: string }
  | { readonly kind: 'anonymous' };

/** Whether there is more to see for them than the page of their link. */
export function isKnown(who: Who | undefined): boolean {
  return who !== undefined && who.kind !== 'anonymous';
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
