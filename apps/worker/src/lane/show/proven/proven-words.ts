/**
 * Everything that a check run says of people and hosts comes through Temporal: who cancelled a deployment or lifted a lock, why
 * it failed, and the sentences at its top. What names a person is shown only if that person is known to have asked: by a
 * signature of control, or by an answer that intake signed. A sentence at the top is not shown without that, whomever it names.
 * What nobody proves is left out and counts as forged.
 */
import { defined, type EachOf } from '@nereid/domain/defined';
import {
  OWN_NOTICES,
  type Deployment,
  type DeploymentRecord,
  type NoticeProof,
  type Presentation,
} from '@nereid/domain/deployment';
import type { Ending } from '@nereid/domain/deployment-actor';
import type { Repository } from '@nereid/domain/root';
import { withProvenFailure } from './proven-failure.ts';
import { withProvenCancellation, withProvenGlass, withProvenUnlock, type WordsContext } from './proven-people.ts';
import { undefinedIfForged } from '../../../platform/keys/signatures.ts';
import { openPress } from '../../verify-decisions.ts';

export async function withProvenWords(
  context: WordsContext,
  repository: Repository,
  presentation: Presentation,
): Promise<Presentation> {
  const { ahead, lock, notice, noticeProof, creationUncertain } = presentation;
  const deployment = await withProvenFacts(context, repository, presentation.deployment);
  const proven = notice === undefined ? undefined : await provenNotice(context, deployment, notice, noticeProof);
  // Each field by name: a new one is proven first, or it is known to be no more than the word of the lane, as its lock is.
  return defined<EachOf<Presentation>>({
    ...{ deployment, notice: proven, noticeProof: undefined },
    ...{ ahead, lock, creationUncertain },
  });
}

/** The same for an end that is also stored. */
export async function withProvenEnding(context: WordsContext, ending: Ending): Promise<Ending> {
  const { show, record } = ending;
  const presentation = { ...show, deployment: record.deployment };
  const { deployment, ...shown } = await withProvenWords(context, record.repository, presentation);
  return { ...ending, record: { ...record, deployment }, ...(show && { show: shown }) };
}

export async function withProvenRecord(context: WordsContext, record: DeploymentRecord): Promise<DeploymentRecord> {
  return { ...record, deployment: await withProvenFacts(context, record.repository, record.deployment) };
}

async function withProvenFacts(
  context: WordsContext,
  repository: Repository,
  deployment: Deployment,
): Promise<Deployment> {
  const cancelled = await withProvenCancellation(context, deployment);
  const unlocked = await withProvenUnlock(context, repository, cancelled);
  return withProvenFailure(context, await withProvenGlass(context, repository, unlocked));
}

/** The cancellation of the deployment is verified. */
async function provenNotice(
  context: WordsContext,
  { id, cancellation }: Deployment,
  notice: string,
  proof: NoticeProof | undefined,
): Promise<string | undefined> {
  if (proof?.kind === 'notice') {
    const proven = await context.signatures.openIfGenuine('decision/notice', proof.notice, { deploymentId: id });
    return proven?.body.sentence;
  }
  if (proof?.kind === 'review') {
    const press = await undefinedIfForged(openPress(context, proof.review, id));
    if (press === undefined || notice.startsWith(`@${press.body.by} pressed `)) return press && notice;
    context.signatures.forged('decision/notice', 'a sentence about another person than answered', id);
    return undefined;
  }
  if (notice === OWN_NOTICES.confirmUnchecked) return notice;
  if (notice.startsWith(OWN_NOTICES.recordUnreadable)) return `${OWN_NOTICES.recordUnreadable}.`;
  if (cancellation !== undefined && notice === `@${cancellation.body.by} asked for the end of this deployment.`)
    return notice;
  context.signatures.forged('decision/notice', 'a sentence that nobody signed', id);
  return undefined;
}
