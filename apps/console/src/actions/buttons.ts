/** Buttons of pages: forms, so that they work where no script runs. The page's script shows the answer beside them. */
import { API_PATH } from '@nereid/api';
import type { Actor } from '../login/visitor/actor-of.ts';
import { html, type Html } from '../platform/html/html.ts';

export interface ButtonForm {
  /** Unique on the page; the answer is found by it after the page has changed. */
  readonly id: string;
  /** Below `/api/v1`. */
  readonly path: string;
  readonly label: string;
  /** Says what happens, for people who hear or hover. */
  readonly description: string;
  readonly look?: 'primary' | 'danger';
  readonly fields?: Readonly<Record<string, string>>;
  /** Fields that the person fills in. */
  readonly inputs?: Html;
}

/** `toTop` is the relative path from the page to the console's top. */
export function buttonForm(actor: Actor, toTop: string, button: ButtonForm): Html {
  const { id, path, label, description, look = 'plain', fields = {}, inputs } = button;
  const action = `${toTop}${API_PATH.slice(1)}${path}`;
  return html`<form class="act" id="act-${id}" method="post" action="${action}">
    <input type="hidden" name="csrf" value="${actor.csrf}" />
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}${inputs}
    <button class="${look}" title="${description}">${label}</button>
    <span class="said" role="status"></span>
  </form>`;
}
