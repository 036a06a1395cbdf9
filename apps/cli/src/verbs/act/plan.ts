import { parsePull } from '../../arguments/names.ts';
import { TIMEOUT } from '../../arguments/verb-description.ts';
import { EXIT } from '../../exit-code.ts';
import { ANSWER_MS, GOES_ON, showAnswer } from './act.ts';
import type { Verb } from '../verb.ts';

export const plan: Verb = {
  name: 'plan',
  group: 'Act',
  summary: 'plan a pull request again',
  details: [
    'PULL is a pull request like acme/infra#12, or its address. Without a ROOT, all roots that it modifies are planned.',
  ],
  isRemote: true,
  arguments: [{ name: 'PULL' }, { name: 'ROOT', isOptional: true, isRepeated: true }],
  options: [TIMEOUT],
  examples: [
    { command: "nereid plan 'acme/infra#12'", does: 'all its roots' },
    { command: "nereid plan 'acme/infra#12' network", does: 'the root network' },
  ],
  async run(call) {
    const { owner, name, number } = parsePull(call.given.argument('PULL'));
    const place = { parameters: { owner, name, number }, body: { roots: [...call.given.all('ROOT')] } };
    showAnswer(call, await call.client().act('planPullRequest', place, call.within(ANSWER_MS, GOES_ON)));
    return EXIT.done;
  },
};
