import { DEPLOYMENT, DEPLOYMENT_DETAILS, parseDeployment } from '../../arguments/deployment-argument.ts';
import { TIMEOUT } from '../../arguments/verb-description.ts';
import { placeOf } from '../../client/find-deployment.ts';
import { EXIT } from '../../exit-code.ts';
import { ANSWER_MS, GOES_ON, showAnswer } from './act.ts';
import type { Verb } from '../verb.ts';

export const cancel: Verb = {
  name: 'cancel',
  group: 'Act',
  summary: 'end a deployment that waits or runs',
  details: [DEPLOYMENT_DETAILS],
  isRemote: true,
  arguments: [{ name: DEPLOYMENT }],
  options: [TIMEOUT],
  examples: [
    { command: 'nereid cancel acme/infra/network', does: 'what runs there' },
    { command: 'nereid cancel 3f2a8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90', does: 'this one, which may still wait' },
  ],
  async run(call) {
    const client = call.client();
    const { parameters, query } = await placeOf(client, parseDeployment(call.given.argument(DEPLOYMENT)));
    const place = { parameters, query: { lane: query.lane }, body: {} };
    showAnswer(call, await client.act('cancelDeployment', place, call.within(ANSWER_MS, GOES_ON)));
    return EXIT.done;
  },
};
