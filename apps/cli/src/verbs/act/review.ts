import type { DeploymentDetail, RequestAnswer } from '@nereid/api';
import { DEPLOYMENT, DEPLOYMENT_DETAILS } from '../../arguments/deployment-argument.ts';
import { TIMEOUT, WAIT } from '../../arguments/verb-description.ts';
import type { Answer, Client } from '../../client/client.ts';
import { laneOf } from '../../client/find-deployment.ts';
import { EXIT, ExitError } from '../../exit-code.ts';
import { waitForEnds } from '../../wait/wait-for-ends.ts';
import { ANSWER_MS, GOES_ON, showAnswer } from './act.ts';
import { agreedPlan, answerShownPlan, PLAN_OPTIONS, showPlanOf } from './answer-plan.ts';
import { WAITS_NO_MORE } from './deploy.ts';
import type { Verb } from '../verb.ts';

const ANSWERS = ['confirm', 'reject'] as const;
type ReviewAnswer = (typeof ANSWERS)[number];

export const review: Verb = {
  name: 'review',
  group: 'Act',
  summary: 'show a plan, and confirm or reject exactly what was shown',
  details: [
    DEPLOYMENT_DETAILS,
    'Without an answer, it only shows the plan. The plan of a pull request is confirmed for its merge.',
  ],
  isRemote: true,
  arguments: [{ name: DEPLOYMENT }, { name: 'ANSWER', values: ANSWERS, isOptional: true }],
  options: [...PLAN_OPTIONS, WAIT, TIMEOUT],
  examples: [
    { command: 'nereid review acme/infra/network', does: 'show the plan that waits there' },
    { command: 'nereid review acme/infra/network confirm --wait', does: 'ask, confirm, and wait until it is applied' },
    { command: 'nereid review acme/infra/network reject --yes', does: 'without a question' },
  ],
  async run(call) {
    const client = call.client();
    const shown = await showPlanOf(call, client);
    const { found } = shown;
    const [typed] = call.given.all('ANSWER');
    const answer = ANSWERS.find((one) => one === typed);
    if (answer === undefined) {
      call.json(shown.answer.json);
      return EXIT.done;
    }
    refuseWhatIsNotOffered(found, answer);
    const seen = await agreedPlan(call, found, answer === 'confirm' ? 'Confirm this plan?' : 'Reject this plan?');
    const untilEnd = call.within(undefined, WAITS_NO_MORE);
    const until = call.within(ANSWER_MS, GOES_ON);
    showAnswer(call, await answerShownPlan(call, client, shown, () => send(client, found, { answer, seen, until })));
    if (!call.given.has('wait')) return EXIT.done;
    const end = await waitForEnds(call, client, [{ id: found.id, lane: laneOf(found), isReviewed: true }], untilEnd);
    return answer === 'reject' ? EXIT.done : end;
  },
};

function refuseWhatIsNotOffered({ offers, progress }: DeploymentDetail, answer: ReviewAnswer): void {
  if (offers.includes(answer) || (answer === 'confirm' && offers.includes('merge'))) return;
  const why = progress.reason === undefined ? '' : ` (${progress.reason})`;
  throw new ExitError(EXIT.refused, `nobody can ${answer} this plan now: the deployment is ${progress.status}${why}`);
}

interface Decided {
  readonly answer: ReviewAnswer;
  readonly seen: string;
  readonly until: AbortSignal;
}

function send(
  client: Client,
  { id, lane, deployment, offers }: DeploymentDetail,
  { answer, seen, until }: Decided,
): Promise<Answer<RequestAnswer>> {
  const { owner, name, rootName } = lane;
  const { pullRequest } = deployment;
  if (answer === 'confirm' && !offers.includes('confirm') && pullRequest !== undefined) {
    const body = { root: rootName, preview: id, seen };
    return client.act('confirmForMerge', { parameters: { owner, name, number: pullRequest }, body }, until);
  }
  const body = { answer: answer === 'confirm' ? ('approved' as const) : ('rejected' as const), seen };
  const query = { lane: `${owner}/${name}/${rootName}` };
  return client.act('reviewPlan', { parameters: { id }, query, body }, until);
}
