import type { DeploymentDetail } from '@nereid/api';
import { DEPLOYMENT, parseDeployment } from '../../arguments/deployment-argument.ts';
import type { Verb } from '../verb.ts';
import { findDeployment, laneOf, pageOf, placeOf } from '../../client/find-deployment.ts';
import { EXIT } from '../../exit-code.ts';
import { shortSha, stateLook } from '../../output/looks.ts';
import { relativeTime } from '../../output/relative-time.ts';
import type { Screen } from '../../output/screen.ts';
import { showPlan } from '../../show/plan.ts';
import { progressText, reviewReason } from '../../show/progress-text.ts';
import { noteUnavailable } from '../lists.ts';

export const deployment: Verb = {
  name: 'deployment',
  group: 'Look',
  summary: 'one deployment: how far it is, its plan, what can be done',
  details: [
    'DEPLOYMENT is an id or its first 8 digits, the address of its page, or a lane: the deployment that runs there, waits first or ended last.',
  ],
  isRemote: true,
  arguments: [{ name: DEPLOYMENT, joint: '/' }],
  examples: [
    { command: 'nereid deployment acme/infra/network', does: 'the one that runs there, or ran last' },
    {
      command: 'nereid deployment 3f2a8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90 --json',
      does: 'everything that is known, as JSON',
    },
  ],
  async run(call) {
    const client = call.client();
    const place = await placeOf(client, parseDeployment(call.given.argument(DEPLOYMENT)), { orLast: true });
    const { json, value } = await findDeployment(client, place);
    call.json(json);
    noteUnavailable(call.notes, value.unavailable);
    showDeployment(call.screen, value, call.world.now());
    call.screen.line(`Page: ${pageOf(client, value)}`);
    if (value.links.checkRun !== undefined) call.screen.line(`Check run: ${value.links.checkRun}`);
    return EXIT.done;
  },
};

/** The request, its progress, and its plan. */
export function showDeployment(screen: Screen, found: DeploymentDetail, nowMs: number): void {
  const { progress, deployment: asked, offers } = found;
  const { revision, trigger, rerun, requestedBy, receivedAt, pullRequest } = asked;
  screen.line({ text: laneOf(found), style: 'bold' }, '  ', stateLook(progress.status), `  ${progressText(found)}`);
  const why = `${rerun ? 're-run' : trigger}${pullRequest === undefined ? '' : ` of #${pullRequest}`}`;
  screen.line(
    `${shortSha(revision.sha)} “${revision.title}”, ${why} by @${requestedBy}, ${relativeTime(receivedAt, nowMs)}`,
  );
  const again = reviewReason(progress);
  if (again !== undefined) screen.line({ text: again, style: 'yellow' });
  for (const line of progress.failure?.lines ?? []) screen.line('  ', { text: line, style: 'dim' });
  if (found.revert) screen.paragraph(`${found.revert.sentence} ${found.revert.way}`);
  showPlan(screen, found);
  if (progress.plan?.expiresAt !== undefined && progress.status === 'awaiting-review')
    screen.line(`The wait for a review ends ${relativeTime(progress.plan.expiresAt, nowMs)}`);
  if (offers.length > 0)
    screen.line({ text: `Actions, if the rules of the root let you: ${offers.join(', ')}`, style: 'dim' });
}
