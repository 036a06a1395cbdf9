/** An answer to a plan is to exactly what the person was shown. */
import type { DeploymentDetail, RequestAnswer } from '@nereid/api';
import { DEPLOYMENT, parseDeployment } from '../../arguments/deployment-argument.ts';
import type { Option } from '../../arguments/verb-description.ts';
import type { Call } from '../../call.ts';
import type { Answer, Client } from '../../client/client.ts';
import { findDeployment, placeOf, type DeploymentPlace } from '../../client/find-deployment.ts';
import { EXIT, ExitError, wrongUsage } from '../../exit-code.ts';
import { askYesOrNo } from '../../output/ask.ts';
import type { Screen } from '../../output/screen.ts';
import { showDeployment } from '../look/deployment.ts';

export const PLAN_OPTIONS: readonly Option[] = [
  { name: 'yes', short: 'y', summary: 'do not ask: answer whatever plan is there' },
  {
    name: 'seen',
    value: 'DIGEST',
    summary: 'do not ask: answer only the plan that nereid deployment --json shows with this value of "seen"',
  },
];

export interface ShownPlan {
  readonly place: DeploymentPlace;
  readonly found: DeploymentDetail;
  readonly answer: Answer<DeploymentDetail>;
}

/** Where people look while the answer for a program goes to stdout. */
export function peopleScreen(call: Call): Screen {
  return call.given.has('json') ? call.notes : call.screen;
}

/** Shows the plan of the deployment that was named. */
export async function showPlanOf(call: Call, client: Client): Promise<ShownPlan> {
  const place = await placeOf(client, parseDeployment(call.given.argument(DEPLOYMENT)));
  const answer = await findDeployment(client, place);
  showDeployment(peopleScreen(call), answer.value, call.world.now());
  return { place, found: answer.value, answer };
}

/** Returns what names the plan that was shown, once the person has agreed to answer it. */
export async function agreedPlan(call: Call, { seen, progress }: DeploymentDetail, question: string): Promise<string> {
  if (seen === undefined) throw new ExitError(EXIT.refused, `there is no plan: the deployment is ${progress.status}`);
  const known = call.given.option('seen');
  if (known !== undefined && known !== seen)
    throw new ExitError(
      EXIT.refused,
      `this is another plan than ${known}: look at what is shown here, which is ${seen}`,
    );
  if (known !== undefined || call.given.has('yes')) return seen;
  const { stdin, stderr } = call.world;
  if (stdin.isTTY !== true || stderr.isTTY !== true)
    throw wrongUsage('expected a terminal to ask on, found none: --seen answers a plan that you know, --yes any plan');
  if (await askYesOrNo(call.world, question)) return seen;
  throw new ExitError(EXIT.refused, 'Nothing was done.');
}

/** When Nereid refuses because the plan is another one by now, that one is shown. */
export async function answerShownPlan(
  call: Call,
  client: Client,
  { place, found }: ShownPlan,
  act: () => Promise<Answer<RequestAnswer>>,
): Promise<Answer<RequestAnswer>> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ExitError && error.exitCode === EXIT.refused) {
      const { value } = await findDeployment(client, place);
      if (value.seen !== found.seen) showDeployment(call.notes, value, call.world.now());
    }
    throw error;
  }
}
