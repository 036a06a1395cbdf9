/** What people may do with a lane, as buttons. Pure functions of the API's answer. */
import type { LaneDetail } from '@nereid/api';
import { ACTIONS, CONSOLE_ACTIONS, type ActionsWith, type ConsoleUse } from '@nereid/domain/actions';
import { buttonForm } from '../actions/buttons.ts';
import type { Actor } from '../login/visitor/actor-of.ts';
import { html, type Html } from '../platform/html/html.ts';

type Lane = Pick<LaneDetail, 'repository' | 'rootName' | 'lock'>;

type LaneAction = ActionsWith<{ readonly about: 'lane'; readonly console: object }>;

const ON_LANE = CONSOLE_ACTIONS.filter((action): action is LaneAction => ACTIONS[action].about === 'lane');

/** All that may be done to the lane as it stands, on its own page. */
export function laneForms(lane: Lane, actor: Actor | undefined, toTop: string): readonly Html[] {
  return ON_LANE.flatMap((action) => laneForm(action, lane, actor, toTop) ?? []);
}

/** Undefined where the lane lacks what the action takes: its lock. */
export function laneForm(action: LaneAction, lane: Lane, actor: Actor | undefined, toTop: string): Html | undefined {
  const { repository, rootName, lock } = lane;
  const { description, console }: { readonly description: string; readonly console: ConsoleUse } = ACTIONS[action];
  const ofLock = Object.entries(console.body).flatMap(([field, kind]) => (kind === 'lock' ? [field] : []));
  if (actor === undefined || (ofLock.length > 0 && lock === undefined)) return undefined;
  return buttonForm(actor, toTop, {
    action,
    idSuffix: `-${repository.replace('/', '-')}-${rootName}`,
    parameters: { ...repositoryOf(lane), root: rootName },
    fields: Object.fromEntries(ofLock.map((field) => [field, lock?.deploymentId ?? ''])),
    description: `${description}: ${rootName}`,
  });
}

/** Any commit of the branch, by the rules of a re-run. */
export function deployForm(lane: Lane, actor: Actor | undefined, toTop: string): Html | undefined {
  if (actor === undefined) return undefined;
  const { rootName } = lane;
  return html`<section class="card" aria-labelledby="deploy">
    <h2 id="deploy">Deploy a revision</h2>
    ${buttonForm(actor, toTop, {
      action: 'deploy',
      parameters: repositoryOf(lane),
      description: `Queue this revision for ${rootName}`,
      fields: { roots: rootName },
      inputs: html`<label
        >Commit of the deployed branch
        <input
          name="revision"
          required
          pattern="[0-9a-f]{40}"
          maxlength="40"
          size="42"
          autocomplete="off"
          spellcheck="false"
          title="40 hex digits"
      /></label>`,
    })}
  </section>`;
}

function repositoryOf({ repository }: Lane): { readonly owner: string; readonly name: string } {
  const [owner = '', name = ''] = repository.split('/');
  return { owner, name };
}
