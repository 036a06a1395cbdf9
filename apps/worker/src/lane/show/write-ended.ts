/** The check run of an ended deployment, which its lane may have forgotten. */
import { defined } from '@nereid/domain/defined';
import { checkRunName, type Deployment } from '@nereid/domain/deployment';
import type { PressedCheckRun } from '@nereid/domain/intake';
import { poolOf, type Repository } from '@nereid/domain/root';
import { renderCheckRun } from '@nereid/texts';
import type { WorkerContext } from '../../platform/context.ts';
import { isFinal } from '../../platform/failures/failures.ts';
import { viewLane } from '../view-lane.ts';
import { checkRunLinks } from './check-run-links.ts';
import { findRevert } from './find-revert.ts';
import { planTextsOf } from './plan-text.ts';
import { provenUnlock } from './proven/proven-people.ts';

export interface EndedCheckRun {
  readonly repository: Repository;
  /** Without an id, the forge has none. */
  readonly checkRun: Pick<PressedCheckRun, 'id'>;
  readonly deployment: Deployment;
  /** A sentence at the top. */
  readonly notice?: string;
}

/** Writes the check run from the deployment's record and from the locks that its lane has lifted. */
export async function writeEnded(
  context: WorkerContext,
  { repository, checkRun, deployment, notice }: EndedCheckRun,
): Promise<void> {
  if (checkRun.id === undefined) return;
  const { name } = deployment.root;
  // A preview sets no lock.
  const lane = deployment.trigger === 'preview' ? undefined : await viewLane(context, repository, name);
  const lifted = lane?.lifted.findLast(({ deploymentId }) => deploymentId === deployment.id);
  const unlocked = await provenUnlock(context, repository, name, lifted?.unlock);
  const shown = { ...deployment, ...(unlocked && { unlocked: unlocked.signed }) };
  const linksOf = await checkRunLinks(context, repository);
  const subject = { deployment: shown, ...defined({ notice }) };
  const planText = await planTextsOf(context, repository)(deployment.progress, poolOf(deployment.root));
  const revert = await findRevert(context, repository, deployment, linksOf);
  const content = renderCheckRun(subject, linksOf(deployment), { planText, revert });
  await context.forge.status.update(repository, checkRun.id, content);
}

/**
 * The same for the check run that the forge has: the record may have been stored before the forge took the last one, and its numbers
 * came through Temporal. Returns why nothing was written, if the forge has none or refuses it.
 */
export async function rewriteEnded(
  context: WorkerContext,
  ended: Omit<EndedCheckRun, 'checkRun'>,
): Promise<string | undefined> {
  const { id, root, revision } = ended.deployment;
  try {
    const [checkRun] = await context.forge.status.find(ended.repository, revision.sha, checkRunName(root.name), id);
    if (checkRun === undefined) return `deployment ${id} has no check run`;
    await writeEnded(context, { ...ended, checkRun });
    return undefined;
  } catch (error) {
    if (isFinal(error)) return `${context.forge.name} does not show it: ${error.message}`;
    throw error;
  }
}
