import { DEPLOYMENT, DEPLOYMENT_DETAILS, parseDeployment } from '../../arguments/deployment-argument.ts';
import { TIMEOUT, WAIT } from '../../arguments/verb-description.ts';
import { findDeployment, placeOf } from '../../client/find-deployment.ts';
import { EXIT } from '../../exit-code.ts';
import { ANSWER_MS, GOES_ON, showAnswer } from './act.ts';
import { waitForOrdered, WAITS_NO_MORE } from './deploy.ts';
import type { Verb } from '../verb.ts';

export const rerun: Verb = {
  name: 'rerun',
  group: 'Act',
  summary: 'deploy the revision of a failed deployment once more',
  details: [`${DEPLOYMENT_DETAILS.slice(0, -1)}, or ended last.`],
  isRemote: true,
  arguments: [{ name: DEPLOYMENT }],
  options: [WAIT, TIMEOUT],
  examples: [{ command: 'nereid rerun acme/infra/network --wait', does: 'what failed last there' }],
  async run(call) {
    const client = call.client();
    const { parameters, query } = await placeOf(client, parseDeployment(call.given.argument(DEPLOYMENT)), {
      orLast: true,
    });
    const { owner, name, rootName } = (await findDeployment(client, { parameters, query })).value.lane;
    const untilEnd = call.within(undefined, WAITS_NO_MORE);
    const place = { parameters, query: { lane: `${owner}/${name}/${rootName}` }, body: {} };
    const answer = await client.act('rerunDeployment', place, call.within(ANSWER_MS, GOES_ON));
    showAnswer(call, answer);
    if (!call.given.has('wait')) return EXIT.done;
    return waitForOrdered({ call, client, signal: untilEnd }, `${owner}/${name}`, answer.value);
  },
};
