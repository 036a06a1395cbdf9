/** Somebody pressed Confirm for merge on the check run of a preview. */
import { placeOf, type RepositoryPolicy } from '@nereid/config';
import { ACTIONS } from '@nereid/domain/actions';
import { defined } from '@nereid/domain/defined';
import { parsePreviewCheckRunName, type Deployment, type PlanButton } from '@nereid/domain/deployment';
import type { ButtonEvent, IntakeResult, PressedCheckRun } from '@nereid/domain/intake';
import type { MergeReview } from '@nereid/domain/plan';
import type { PreviewRecord } from '@nereid/domain/pull-request';
import type { Signed } from '@nereid/domain/signed';
import { lanePosition } from '../../lane/turn/lane-position.ts';
import { allowsReviewBefore } from '../../gates/verify-policy.ts';
import { writeEnded, type EndedCheckRun } from '../../lane/show/write-ended.ts';
import { verifyDeployment } from '../../lane/verify-orders.ts';
import { readConfirmation, withConfirmation } from '../../pull-request/confirmed-for-merge.ts';
import { askPatiently, pullRequestUnavailable } from '../../person/ask-patiently.ts';
import type { IntakeCall } from '../intake-call.ts';
import { broughtBy } from '../../person/contributors.ts';
import { askerOf, decide } from '../../person/permission.ts';
import { nothing, refused, signalled } from '../results.ts';
import type { ActionSubject } from '../action-subject.ts';
import { withFailureReported } from '../with-failure-reported.ts';
import { subjectOf } from './subject-of-press.ts';
import { whyNotPressed } from './verify-press.ts';
import { whyNotForMerge } from './why-not-for-merge.ts';
import type { Decision } from '../../person/permission-rule.ts';

export type MergePress = ButtonEvent & { readonly button: Extract<PlanButton, { readonly kind: 'merge' }> };

export async function handleMergeReview(
  call: IntakeCall,
  event: MergePress,
  policy: RepositoryPolicy,
): Promise<IntakeResult> {
  const { repository, checkRun } = event;
  const rootName = parsePreviewCheckRunName(checkRun.name);
  if (rootName === undefined) return nothing('the check run does not belong to a preview');
  const record = await call.context.pullRequestRecords.readPreview(repository, rootName, checkRun.externalId);
  return withFailureReported(
    () => (record === undefined ? refuse(call, event, record, NOT_KNOWN) : confirm(call, event, policy, record)),
    (sentence) => refuse(call, event, record, sentence),
  );
}

const NOT_KNOWN = 'this plan is no longer known: comment `plan` for a new one';

async function confirm(
  call: IntakeCall,
  event: MergePress,
  policy: RepositoryPolicy,
  record: PreviewRecord,
): Promise<IntakeResult> {
  const { repository, sender } = event;
  const unknown = await whyNotPressed(call, event);
  if (unknown !== undefined) return refuse(call, event, record, unknown);
  const { confirmedForMerge: _shown, ...preview } = record.deployment;
  await verifyDeployment(call.context, { repository, deployment: preview });
  const decision = await mayConfirm(call, event, policy, preview);
  if (decision.kind === 'no') return refuse(call, event, record, decision.sentence);
  const why = await whyNot(call, event, preview);
  if (why !== undefined) return refuse(call, event, record, pressed(event, why));

  const review = await signReview(call, event, preview);
  const first = await call.context.mergeReviews.open(repository, review);
  const { requestId, by } = first.review.body;
  if (requestId !== review.body.requestId)
    return refuse(call, event, record, pressed(event, `@${by} confirmed this plan for the merge already.`));
  call.userActions.accepted(subjectOfPress(event, preview));
  await call.context.pullRequestRecords.writePreview({ ...record, deployment: withConfirmation(preview, first) });
  await show(call, event, { record, checkRun: await shownOn(call, event) });
  return signalled(`@${sender} confirmed the plan of ${preview.root.name} for the merge`, []);
}

function pressed({ sender }: MergePress, why: string): string {
  return `@${sender} pressed ${ACTIONS.merge.label}: ${why}`;
}

/** Who merges it is not known yet, and is judged after the merge. */
function mayConfirm(
  call: IntakeCall,
  event: MergePress,
  policy: RepositoryPolicy,
  { root, requestedBy, requestedById, preview, revision }: Deployment,
): Promise<Decision> {
  const people = [{ login: requestedBy, id: requestedById }];
  const place = { repository: event.repository, policy, root: placeOf(root) };
  const brought = () => ({ ...broughtBy(preview?.headSha ?? revision.sha), people });
  return decide(call, { ...place, ...askerOf(event), action: ACTIONS.merge.rule, brought });
}

async function whyNot(call: IntakeCall, event: MergePress, preview: Deployment): Promise<string | undefined> {
  const { forge, pullRequestRecords, server } = call.context;
  const { repository, button } = event;
  const { pullRequest: number = 0, root } = preview;
  const pullRequest = await askPatiently(call, () => forge.pullRequests.get(repository, number), undefined);
  if (pullRequest === undefined) return pullRequestUnavailable(call.context);
  return whyNotForMerge({
    preview,
    button,
    pullRequest,
    look: (await pullRequestRecords.read(repository, { number }))?.look,
    lane: await lanePosition(call.context, repository, root.name),
    isAllowed: allowsReviewBefore(server.current(), repository, root),
  });
}

/** The preview has everything that is signed: a press on any other one was refused. */
function signReview(
  { context, delivery, askedAt }: IntakeCall,
  { sender, senderId }: MergePress,
  { id, root, order = '', pullRequest = 0, preview, progress }: Deployment,
): Promise<Signed<MergeReview>> {
  return context.signatures.enclose('decision/merge-review', {
    version: 1,
    requestId: `${delivery}:${root.name}`,
    rootName: root.name,
    pullRequest,
    previewId: id,
    order,
    digest: progress.plan?.made.body.digest ?? '',
    tree: preview?.forMerge?.tree ?? '',
    lane: preview?.forMerge?.lane ?? '',
    by: sender,
    ...defined({ byId: senderId }),
    at: askedAt,
  });
}

/**
 * Shows who confirmed the plan. The record may be older than a review of somebody who pressed at the same time, and so may a write
 * to the forge: it is written again where a review came meanwhile.
 */
async function show(
  { context }: IntakeCall,
  { repository }: MergePress,
  { record, ...more }: Pick<EndedCheckRun, 'checkRun' | 'notice'> & { readonly record: PreviewRecord },
): Promise<void> {
  let review = await readConfirmation(context, repository, record.deployment);
  for (;;) {
    await writeEnded(context, { repository, deployment: withConfirmation(record.deployment, review), ...more });
    const since = await readConfirmation(context, repository, record.deployment);
    if (since?.review.body.requestId === review?.review.body.requestId) return;
    review = since;
  }
}

/** A press in the console names no check run where the record of the preview was stored before it had one. */
async function shownOn(
  { context }: IntakeCall,
  { repository, checkRun }: MergePress,
): Promise<Pick<PressedCheckRun, 'id'>> {
  if (checkRun.id !== undefined) return checkRun;
  const { headSha, name, externalId } = checkRun;
  const [found] = await context.forge.status.find(repository, headSha, name, externalId);
  return found ?? {};
}

/** The limit of the contract. */
const SENTENCE_LIMIT = 500;

async function refuse(
  call: IntakeCall,
  event: MergePress,
  record: PreviewRecord | undefined,
  whole: string,
): Promise<IntakeResult> {
  const { repository, checkRun } = event;
  const sentence = whole.slice(0, SENTENCE_LIMIT);
  call.userActions.refused(subjectOfPress(event, record?.deployment), sentence);
  if (call.answeredIn === 'console' || checkRun.id === undefined) return refused(sentence);
  if (record === undefined) await call.context.forge.status.addNotice(repository, checkRun.id, sentence);
  else await show(call, event, { record, checkRun, notice: sentence });
  return refused(sentence);
}

function subjectOfPress({ checkRun }: MergePress, preview: Deployment | undefined): ActionSubject {
  const { pullRequest } = preview ?? {};
  return { ...subjectOf(checkRun), ...defined({ pullRequest }), beforeMerge: true };
}
