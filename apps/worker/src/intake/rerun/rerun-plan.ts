/** **Re-run** on the check runs of a pull request's previews: plans it again. */
import type { RepositoryPolicy } from '@nereid/config';
import { parsePreviewCheckRunName } from '@nereid/domain/deployment';
import type { IntakeResult, PressedCheckRun, RerunEvent } from '@nereid/domain/intake';
import { parsePullRequestWorkflowId } from '@nereid/domain/pull-request';
import type { Repository, Root } from '@nereid/domain/root';
import pMap from 'p-map';
import { whyNotPlanned } from '../../actions/plan.ts';
import { LANES_ASKED } from '../../lane/lane-place.ts';
import { askAgain } from '../../pull-request/ask-again.ts';
import { refuseOnCheckRun } from '../check-run/refuse-on-check-run.ts';
import { subjectOf } from '../check-run/subject-of-press.ts';
import { broughtBy } from '../../person/contributors.ts';
import type { IntakeCall } from '../intake-call.ts';
import { askerOf, decide } from '../../person/permission.ts';
import { signalled } from '../results.ts';

export async function rerunPlan(
  call: IntakeCall,
  event: Pick<RerunEvent, 'repository' | 'sender' | 'senderId'>,
  policy: RepositoryPolicy,
  checkRun: PressedCheckRun,
  wanted: readonly string[] = [],
): Promise<IntakeResult> {
  const { repository, sender: by } = event;
  const { headSha } = checkRun;
  const refuse = (sentence: string) => refuseOnCheckRun(call, repository, checkRun, sentence);
  const request = { repository, policy, root: undefined, ...askerOf(event), brought: () => broughtBy('') };
  const decision = await decide(call, { ...request, action: 'plan' });
  if (decision.kind === 'no') return refuse(decision.sentence);
  const rootName = parsePreviewCheckRunName(checkRun.name);
  const number = await numberOf(call, event, checkRun, rootName);
  if (number === undefined)
    return refuse(
      'this is the check run of no pull request: push a commit to it, or put it into the merge queue again',
    );

  const rootNames = rootName === undefined ? wanted : [rootName];
  const roots = await rootsOf(call, repository, number, rootNames);
  const names = rootNames.filter((name) => roots.every((root) => root.name !== name));
  const denials = await whyNotPlanned(call, event, { repository, policy, headSha, roots, names });
  if (denials.length > 0) return refuse(denials.join('; '));
  call.userActions.accepted({ ...subjectOf(checkRun), rootNames, pullRequest: number });
  const asked = { requestId: call.delivery, headSha, rootNames, by, at: call.askedAt };
  const workflow = await askAgain(call.context, repository, number, asked);
  return signalled(`#${number} is planned again`, [workflow]);
}

/** Those that were planned; no names: all of them. Others are planned by whoever pushes. */
async function rootsOf(
  { context: { pullRequestRecords } }: IntakeCall,
  repository: Repository,
  number: number,
  rootNames: readonly string[],
): Promise<readonly Root[]> {
  const { previews = [] } = (await pullRequestRecords.read(repository, { number }))?.look ?? {};
  const asked = previews.filter(({ rootName }) => rootNames.length === 0 || rootNames.includes(rootName));
  const records = await pMap(
    asked,
    ({ rootName, deploymentId }) => pullRequestRecords.readPreview(repository, rootName, deploymentId),
    LANES_ASKED,
  );
  return records.flatMap((record) => (record === undefined ? [] : [record.deployment.root]));
}

/** `nereid/plan` names its pull request, and the check run of a root its preview. */
async function numberOf(
  { context }: IntakeCall,
  { repository }: Pick<RerunEvent, 'repository'>,
  { externalId }: PressedCheckRun,
  rootName: string | undefined,
): Promise<number | undefined> {
  if (rootName === undefined) return parsePullRequestWorkflowId(externalId);
  const preview = await context.pullRequestRecords.readPreview(repository, rootName, externalId);
  // A group is planned once.
  return preview?.deployment.preview?.group === undefined ? preview?.deployment.pullRequest : undefined;
}
