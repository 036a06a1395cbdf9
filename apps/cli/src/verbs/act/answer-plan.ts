/** An answer to a plan is to exactly what the person was shown. */
import type { DeploymentDetail } from '@nereid/api';
import { ACTIONS, type ConsoleAction, type ConsoleUse } from '@nereid/domain/actions';
import { defined } from '@nereid/domain/defined';
import { DEPLOYMENT, parseDeployment } from '../../arguments/deployment-argument.ts';
import type { Option } from '../../arguments/verb-description.ts';
import type { Call } from '../../call.ts';
import type { Client } from '../../client/client.ts';
import { findDeployment, laneOf, placeOf, type DeploymentPlace } from '../../client/find-deployment.ts';
import { EXIT, ExitError } from '../../exit-code.ts';
import { agree } from './agree.ts';
import { waitForEnds, type AwaitedDeployment } from '../../wait/wait-for-ends.ts';
import { showDeployment } from '../look/deployment.ts';
import type { Asked, Send } from './subjects.ts';

export const PLAN_OPTIONS: readonly Option[] = [
  { name: 'yes', short: 'y', summary: 'do not ask: answer whatever plan is there' },
  {
    name: 'seen',
    value: 'DIGEST',
    summary: 'do not ask: answer only the plan that nereid deployment --json shows with this value of "seen"',
  },
];

interface ShownPlan {
  readonly place: DeploymentPlace;
  readonly found: DeploymentDetail;
}

/** Shows the plan of the deployment that was named, and asks for the action of the verb that is offered for it. */
export async function findPlan(call: Call, client: Client, actions: readonly ConsoleAction[]): Promise<Asked> {
  const shown = await showPlanOf(call, client);
  const { found } = shown;
  const action = offeredOf(actions, found);
  const seen = await agreedPlan(call, found, (ACTIONS[action].console as ConsoleUse).question ?? '');
  return {
    action,
    place: placeIn(action, found, seen),
    around: (send) => answerShownPlan(call, client, shown, send),
    waitForEnd: ({ signal }) => waitForEnds(call, client, [answeredOf(found)], signal),
  };
}

function answeredOf(found: DeploymentDetail): AwaitedDeployment {
  return { id: found.id, lane: laneOf(found), ...defined({ answered: found.progress.plan?.digest }) };
}

async function showPlanOf(call: Call, client: Client): Promise<ShownPlan> {
  const place = await placeOf(client, parseDeployment(call.given.argument(DEPLOYMENT)));
  const found = (await findDeployment(client, place)).value;
  // The answer for a program goes to stdout.
  showDeployment(call.given.has('json') ? call.notes : call.screen, found, call.world.now());
  return { place, found };
}

function offeredOf(actions: readonly ConsoleAction[], { offers, progress }: DeploymentDetail): ConsoleAction {
  const offered = actions.find((action) => (offers as readonly string[]).includes(action));
  if (offered !== undefined) return offered;
  const [first = 'confirm'] = actions;
  const why = progress.reason === undefined ? '' : ` (${progress.reason})`;
  throw new ExitError(
    EXIT.refused,
    `nobody can ${ACTIONS[first].verb} this plan now: the deployment is ${progress.status}${why}`,
  );
}

function placeIn(action: ConsoleAction, found: DeploymentDetail, seen: string): Asked['place'] {
  const { id, lane, deployment } = found;
  const { owner, name, rootName: root } = lane;
  if (ACTIONS[action].about === 'plan') return { parameters: { id }, query: { lane: laneOf(found) }, body: { seen } };
  return { parameters: { owner, name, number: deployment.pullRequest }, body: { root, preview: id, seen } };
}

/** Returns what names the plan that was shown, once the person has agreed to answer it. */
async function agreedPlan(call: Call, { seen, progress }: DeploymentDetail, question: string): Promise<string> {
  if (seen === undefined) throw new ExitError(EXIT.refused, `there is no plan: the deployment is ${progress.status}`);
  const known = call.given.option('seen');
  if (known !== undefined && known !== seen)
    throw new ExitError(
      EXIT.refused,
      `this is another plan than ${known}: look at what is shown here, which is ${seen}`,
    );
  if (known === undefined) await agree(call, question, '--seen answers a plan that you know, --yes any plan');
  return seen;
}

/** When Nereid refuses because the plan is another one by now, that one is shown. */
async function answerShownPlan(call: Call, client: Client, { place, found }: ShownPlan, send: Send) {
  try {
    return await send();
  } catch (error) {
    if (error instanceof ExitError && error.exitCode === EXIT.refused) {
      const { value } = await findDeployment(client, place);
      if (value.seen !== found.seen) showDeployment(call.notes, value, call.world.now());
    }
    throw error;
  }
}
