import { parseLane } from '../../arguments/names.ts';
import { TIMEOUT } from '../../arguments/verb-description.ts';
import { EXIT, ExitError } from '../../exit-code.ts';
import { ANSWER_MS, GOES_ON, showAnswer } from './act.ts';
import type { Verb } from '../verb.ts';

export const unlock: Verb = {
  name: 'unlock',
  group: 'Act',
  summary: 'lift the lock of a lane, so that waiting deployments go on',
  details: ['It says who or what locked the lane, and lifts the lock at once, without a question.'],
  isRemote: true,
  arguments: [{ name: 'OWNER/NAME/ROOT' }],
  options: [TIMEOUT],
  examples: [
    { command: 'nereid unlock acme/infra/network', does: 'after you have looked at what the last deployment left' },
  ],
  async run(call) {
    const { owner, name, root } = parseLane(call.given.argument('OWNER/NAME/ROOT'));
    const client = call.client();
    const { lock } = (await client.get('getLane', { parameters: { owner, name, root }, query: { limit: 1 } })).value;
    if (lock === undefined) throw new ExitError(EXIT.refused, `${root} is not locked`);
    call.screen.line(`${root} is locked by ${lock.sentence}, since ${lock.at}.`);
    const place = { parameters: { owner, name, root }, body: { deployment: lock.deploymentId } };
    showAnswer(call, await client.act('unlockLane', place, call.within(ANSWER_MS, GOES_ON)));
    return EXIT.done;
  },
};
