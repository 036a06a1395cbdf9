/** What people may do with a lane, as buttons. Pure functions of the API's answer. */
import type { LaneDetail } from '@nereid/api';
import { buttonForm } from '../actions/buttons.ts';
import type { Actor } from '../login/visitor/actor-of.ts';
import { html, type Html } from '../platform/html/html.ts';

type Lane = Pick<LaneDetail, 'repository' | 'rootName' | 'lock'>;

/** Lifts the lock, wherever the lane is listed. */
export function unlockForm(lane: Lane, actor: Actor | undefined, toTop: string): Html | undefined {
  const { repository, rootName, lock } = lane;
  if (actor === undefined || lock === undefined) return undefined;
  return buttonForm(actor, toTop, {
    action: 'unlock',
    idSuffix: `-${repository.replace('/', '-')}-${rootName}`,
    parameters: { ...repositoryOf(lane), root: rootName },
    fields: { deployment: lock.deploymentId },
    description: `Let waiting deployments of ${rootName} go on`,
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
