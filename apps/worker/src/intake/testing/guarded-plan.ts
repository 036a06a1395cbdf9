/** Plans of a root that only a colleague of the people who brought a change may confirm. */
import type { Deployment } from '@nereid/domain/deployment';
import type { IntakeResult } from '@nereid/domain/intake';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import type { FileChanges } from '@nereid/github-stand-in';
import type { IntakeStage } from './intake-stage.ts';
import type { StagedRepository } from './staged-repository.ts';

export interface GuardedPlan {
  readonly infra: StagedRepository;
  readonly deployment: Deployment;
}

/** Nothing of `guarded` was deployed yet, and nobody asks who brought the files that it begins with. */
export async function aGuardedRepository(stage: IntakeStage, files: FileChanges): Promise<StagedRepository> {
  const infra = await stage.repository(files);
  await infra.lane('guarded').beginsAfter(await infra.head());
  return infra;
}

export interface AuthoredCommit {
  readonly files: FileChanges;
  /** GitHub login; who also pushes it. */
  readonly author: string;
  readonly message?: string;
}

/** On the default branch. */
export async function commitTo(
  stage: IntakeStage,
  infra: StagedRepository,
  { files, author, message = 'Widen' }: AuthoredCommit,
): Promise<string> {
  return stage.standIn.commit({ repository: infra.fullName, branch: 'main', files, message, author });
}

/** A plan of `guarded` waits for a review. */
export async function planThatWaits(
  stage: IntakeStage,
  infra: StagedRepository,
  sha: string,
  more: Partial<Deployment>,
): Promise<GuardedPlan> {
  const waiting = aDeployment({ status: 'awaiting-review', plan: aPlan() });
  const root = { ...waiting.root, name: 'guarded', dir: 'guarded' };
  const { id } = await stage.deployment();
  return { infra, deployment: { ...waiting, root, id, revision: { ...waiting.revision, sha }, ...more } };
}

export async function pressConfirm(
  stage: IntakeStage,
  { infra, deployment }: GuardedPlan,
  login: string,
  id?: number,
): Promise<IntakeResult> {
  stage.standIn.setRole(infra.fullName, 'bea', 'write');
  const press = infra.presses(await infra.review(deployment), 'confirm', login);
  return stage.deliver({ ...press, ...(id !== undefined && { senderId: id }) });
}
