import { DEPLOYMENT, DEPLOYMENT_DETAILS } from '../../arguments/deployment-argument.ts';
import { TIMEOUT } from '../../arguments/verb-description.ts';
import { laneOf } from '../../client/find-deployment.ts';
import { EXIT } from '../../exit-code.ts';
import { ANSWER_MS, GOES_ON, showAnswer } from './act.ts';
import { agreedPlan, answerShownPlan, PLAN_OPTIONS, showPlanOf } from './answer-plan.ts';
import type { Verb } from '../verb.ts';

export const override: Verb = {
  name: 'override',
  group: 'Act',
  summary: 'let a plan go on although policies deny it, for their owners',
  details: [DEPLOYMENT_DETAILS],
  isRemote: true,
  arguments: [{ name: DEPLOYMENT }],
  options: [...PLAN_OPTIONS, TIMEOUT],
  examples: [{ command: 'nereid override acme/infra/network', does: 'show what denies, and ask' }],
  async run(call) {
    const client = call.client();
    const shown = await showPlanOf(call, client);
    const { found } = shown;
    const seen = await agreedPlan(call, found, 'Let this plan go on all the same?');
    const place = { parameters: { id: found.id }, query: { lane: laneOf(found) }, body: { seen } };
    const act = () => client.act('overridePolicies', place, call.within(ANSWER_MS, GOES_ON));
    showAnswer(call, await answerShownPlan(call, client, shown, act));
    return EXIT.done;
  },
};
