/** Buttons of pages: forms, so that they work where no script runs. The page's script shows the answer beside them. */
import { ACTION_OPERATIONS, API_PATH, type ActionOperation } from '@nereid/api';
import { ACTIONS, REASON_LIMIT, type ActionRow, type ConsoleAction } from '@nereid/domain/actions';
import type { Actor } from '../login/visitor/actor-of.ts';
import { html, type Html } from '../platform/html/html.ts';

export interface ButtonForm {
  readonly action: ConsoleAction;
  /** Only those of `lane` and `fields` count that its operation takes. */
  readonly parameters: Readonly<Record<string, string | number>>;
  /** The lane of the deployment, as `owner/name/root`. */
  readonly lane?: string;
  /** Makes its id unique on a page that has the action several times; the answer is found by it after the page has changed. */
  readonly idSuffix?: string;
  /** In place of that of its action. */
  readonly description?: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** Fields that the person fills in. */
  readonly inputs?: Html;
}

/** Of an action that takes a reason. */
export const REASON_INPUT = html`<label
  >Reason <input name="reason" required maxlength="${REASON_LIMIT}" size="30" autocomplete="off"
/></label>`;

/** `toTop` is the relative path from the page to the console's top. */
export function buttonForm(actor: Actor, toTop: string, button: ButtonForm): Html {
  const { action, parameters, lane, idSuffix = '', fields = {}, inputs } = button;
  const row: ActionRow = ACTIONS[action];
  const { path, query, body }: ActionOperation = ACTION_OPERATIONS[action];
  const address = path.replaceAll(/\{(\w+)\}/g, (_part, name: string) => partOf(parameters, name));
  const asked = lane !== undefined && 'lane' in query.shape ? `?lane=${encodeURIComponent(lane)}` : '';
  const own = Object.entries(fields).filter(([name]) => name in body.shape);
  return html`<form
    class="act"
    id="act-${action}${idSuffix}"
    method="post"
    action="${toTop}${API_PATH.slice(1)}${address}${asked}"
  >
    <input type="hidden" name="csrf" value="${actor.csrf}" />
    ${own.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}${inputs}
    <button class="${row.look ?? 'plain'}" title="${button.description ?? row.description}">${row.label}</button>
    <span class="said" role="status"></span>
  </form>`;
}

function partOf(parameters: ButtonForm['parameters'], name: string): string {
  const part = parameters[name];
  if (part === undefined) throw new Error(`expected the part ${name} of an action's path, found none`);
  return String(part);
}
